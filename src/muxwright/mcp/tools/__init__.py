"""The handlers by family, each beside its schemas: a dict of checked arguments in, a dict or a screen out."""
