"""The words, schemas and pictures of the conformance fixture."""

from __future__ import annotations

import json
import re
from typing import Any

import mcp_types as types

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC"  # one red pixel
WAV = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA="  # no samples


def text(words: str) -> dict[str, Any]:
    return {"type": "text", "text": words}


def said(words: str) -> dict[str, Any]:
    return {"content": [text(words)]}


def _embedded(uri: str, mime: str, words: str) -> dict[str, Any]:
    return {"type": "resource", "resource": {"uri": uri, "mimeType": mime, "text": words}}


IMAGE = {"type": "image", "data": PNG, "mimeType": "image/png"}
AUDIO = {"type": "audio", "data": WAV, "mimeType": "audio/wav"}
EMBEDDED = _embedded("test://embedded-resource", "text/plain", "This is an embedded resource content.")
MIXED = _embedded("test://mixed-content-resource", "application/json", '{"test":"data","value":123}')

# --- schemas ---


def _object(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    return {"type": "object", "properties": properties, **({"required": required} if required else {})}


NOTHING = _object({})
STRING = {"type": "string"}


def one(name: str) -> dict[str, Any]:
    return _object({name: STRING}, [name])


USER = _object({"username": STRING, "email": STRING}, ["username", "email"])
DEFAULTS = _object(
    {
        "name": {"type": "string", "default": "John Doe"},
        "age": {"type": "integer", "default": 30},
        "score": {"type": "number", "default": 95.5},
        "status": {"type": "string", "enum": ["active", "inactive", "pending"], "default": "active"},
        "verified": {"type": "boolean", "default": True},
    }
)
_WORDS = ["option1", "option2", "option3"]
_TITLED = [{"const": f"value{n}", "title": f"Option {n}"} for n in (1, 2, 3)]
ENUMS = _object(
    {
        "untitledSingle": {"type": "string", "enum": _WORDS},
        "titledSingle": {"type": "string", "oneOf": _TITLED},
        "legacyEnum": {"type": "string", "enum": ["opt1", "opt2", "opt3"], "enumNames": ["One", "Two", "Three"]},
        "untitledMulti": {"type": "array", "items": {"type": "string", "enum": _WORDS}},
        "titledMulti": {"type": "array", "items": {"anyOf": _TITLED}},
    }
)
RICH = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {"address": {"$anchor": "addressDef", **_object({"street": STRING, "city": STRING})}},
    "properties": {
        "name": STRING,
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": STRING,
        "email": STRING,
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}
MIRRORED = _object({"region": {"type": "string", "x-mcp-header": "Region"}}, ["region"])

# --- questions to the client, and its answers ---


def _form(message: str, name: str, kind: str = "string") -> dict[str, Any]:
    schema = _object({name: {"type": kind}}, [name])
    return {"method": "elicitation/create", "params": {"message": message, "requestedSchema": schema}}


def _sampling(words: str, tokens: int) -> dict[str, Any]:
    message = {"role": "user", "content": text(words)}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": tokens}}


NAME = _form("What is your name?", "name")
COLOUR = _form("What is your favorite color?", "color")
CONFIRM = _form("Please confirm", "ok", "boolean")
CONTEXT = _form("What context should the prompt use?", "context")
CAPITAL = _sampling("What is the capital of France?", 100)
ROOTS = {"method": "roots/list", "params": {}}
ALL_QUESTIONS = {"user_name": NAME, "greeting": _sampling("Generate a greeting", 50), "client_roots": ROOTS}


def answers(params: types.CallToolRequestParams | types.GetPromptRequestParams) -> dict[str, Any]:
    """Return what the client answered, as on the wire."""
    given = params.input_responses or {}
    return {
        key: value if isinstance(value, dict) else value.model_dump(by_alias=True, mode="json", exclude_none=True)
        for key, value in given.items()
    }


def is_answer(question: dict[str, Any], answer: dict[str, Any] | None) -> bool:
    """Whether this is an answer to that question."""
    member = {"elicitation/create": "action", "sampling/createMessage": "content", "roots/list": "roots"}
    return answer is not None and member[question["method"]] in answer


# --- resources and prompts ---

RESOURCES = ("test://static-text", "test://static-binary", "test://watched-resource")


def resource(uri: str) -> dict[str, Any] | None:
    """Return the contents of a resource, ``None`` when there is none."""
    if uri == "test://static-binary":
        return {"uri": uri, "mimeType": "image/png", "blob": PNG}
    if uri in RESOURCES:
        return {"uri": uri, "mimeType": "text/plain", "text": "This is the content of the static text resource."}
    if found := re.fullmatch(r"test://template/([^/]+)/data", uri):
        words = json.dumps({"id": found[1], "templateTest": True, "data": f"Data for ID: {found[1]}"})
        return {"uri": uri, "mimeType": "application/json", "text": words}
    return None


def _prompt(name: str, *arguments: str) -> dict[str, Any]:
    given = [{"name": each, "description": "A value.", "required": True} for each in arguments]
    return {"name": name, "description": "A prompt.", "arguments": given}


PROMPTS = [
    _prompt("test_simple_prompt"),
    _prompt("test_prompt_with_arguments", "arg1", "arg2"),
    _prompt("test_prompt_with_embedded_resource", "resourceUri"),
    _prompt("test_prompt_with_image"),
    _prompt("test_input_required_result_prompt"),
]


def messages(name: str, given: dict[str, str]) -> list[dict[str, Any]]:
    """Return the messages of a prompt."""
    if name == "test_prompt_with_arguments":
        content = [text(f"Prompt with arguments: arg1='{given['arg1']}', arg2='{given['arg2']}'")]
    elif name == "test_prompt_with_embedded_resource":
        content = [_embedded(given["resourceUri"], "text/plain", "Embedded resource content."), text("Read it.")]
    elif name == "test_prompt_with_image":
        content = [IMAGE, text("Look at it.")]
    else:
        content = [text("This is a simple prompt for testing.")]
    return [{"role": "user", "content": each} for each in content]
