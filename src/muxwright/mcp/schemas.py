"""Pieces of JSON Schema, and the schemas that several tools share."""

from __future__ import annotations

from typing import Any

__all__ = [
    "ANY_TARGET",
    "ERROR",
    "PANE",
    "PANE_TARGET",
    "SESSION_TARGET",
    "WINDOW_TARGET",
    "Schema",
    "array",
    "boolean",
    "closed",
    "integer",
    "number",
    "one_of",
    "outcome",
    "string",
    "with_caller",
]

Schema = dict[str, Any]


def described(schema: Schema, description: str | None) -> Schema:
    return schema if description is None else {**schema, "description": description}


def closed(properties: dict[str, Schema], required: list[str] | None = None, **more: Any) -> Schema:
    """An object with no other members; all are required unless `required` says which."""
    required = list(properties) if required is None else required
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False, **more}


def string(description: str | None = None, **more: Any) -> Schema:
    return described({"type": "string", **more}, description)


def integer(
    minimum: int | None = None, maximum: int | None = None, default: int | None = None, description: str | None = None
) -> Schema:
    bounds = {"minimum": minimum, "maximum": maximum, "default": default}
    return described(
        {"type": "integer", **{key: bound for key, bound in bounds.items() if bound is not None}}, description
    )


def number(minimum: float, maximum: float, default: float, description: str | None = None) -> Schema:
    return described({"type": "number", "minimum": minimum, "maximum": maximum, "default": default}, description)


def boolean(default: bool | None = None, description: str | None = None) -> Schema:
    return described({"type": "boolean", **({} if default is None else {"default": default})}, description)


def array(
    items: Schema, minimum: int | None = None, maximum: int | None = None, description: str | None = None
) -> Schema:
    bounds = {"minItems": minimum, "maxItems": maximum}
    return described(
        {"type": "array", "items": items, **{key: bound for key, bound in bounds.items() if bound is not None}},
        description,
    )


def one_of(*words: str, default: str | None = None, description: str | None = None) -> Schema:
    return described(
        {"type": "string", "enum": list(words), **({} if default is None else {"default": default})}, description
    )


_GENERATION = string(maxLength=128)


PANE = closed({"paneId": string(maxLength=64, pattern="^%(0|[1-9][0-9]*)$"), "generation": _GENERATION})
PANE_TARGET = described(PANE, "A target as list_panes gives it")
WINDOW_TARGET = closed({"windowId": string(), "generation": string()})
SESSION_TARGET = closed({"sessionId": string(), "generation": string()})
ANY_TARGET = closed(
    {"paneId": string(), "windowId": string(), "sessionId": string(), "generation": string()},
    ["generation"],
    description="One of the three ids",
)

ERROR = closed(
    {
        "code": string(),
        "message": string(),
        "effects": {"enum": ["none", "possible"]},
        "retryable": boolean(),
    }
)
_FAILURE = {"type": "object", "properties": {"error": ERROR}, "required": ["error"]}


def outcome(*variants: Schema) -> Schema:
    """The output of a tool: what it gives, or an error."""
    return {"type": "object", "anyOf": [*variants, _FAILURE]}


def with_caller(schema: Schema) -> Schema:
    """The input schema of a server with a configured caller pane, which is where a missing target leads."""
    if "target" not in schema.get("properties", {}):
        return schema
    return {**schema, "required": [name for name in schema["required"] if name != "target"]}
