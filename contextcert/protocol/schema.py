"""The JSON Schemas of the protocol, and the validating mode that holds every message to them."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final

from contextcert.protocol.json_codec import decode

if TYPE_CHECKING:
    from jsonschema import Draft202012Validator

    from contextcert.refmodel.json_value import Json, JsonObject

SCHEMA_NAMES: Final = (
    "initialize-request",
    "initialize-result",
    "run-request",
    "run-result",
    "shutdown-request",
    "shutdown-result",
    "error",
    "op",
    "outcome",
    "item",
    "example",
)
"""The names of the schemas in the package, without their ending."""

_URN: Final = "urn:contextcert:protocol:1:"
_SHOWN_CHARACTERS: Final = 200


class SchemaError(ValueError):
    """A value does not follow its schema; the message leads to the place by a JSON pointer."""


@cache
def schema(name: str) -> JsonObject:
    """Give one of the schemas by its name.

    Raises:
        FileNotFoundError: there is no such schema.
    """
    text = files("contextcert.protocol").joinpath("schemas", f"{name}.json").read_bytes()
    value = decode(text)
    assert isinstance(value, dict)
    return value


def check(name: str, value: Json) -> None:
    """Hold a value to a schema.

    Raises:
        SchemaError: it does not follow it.
    """
    from jsonschema.exceptions import best_match  # noqa: PLC0415 (slow, and off the hot path)

    trouble = best_match(_validator(name).iter_errors(value))
    if trouble is None:
        return
    pointer = "".join(f"/{_escaped(part)}" for part in trouble.absolute_path)
    what = ascii(trouble.message)[1:-1]
    if len(what) > _SHOWN_CHARACTERS:
        what = f"{what[:_SHOWN_CHARACTERS]}…"
    raise SchemaError(f"{pointer or '/'}: {what} (schema {name})")


def check_response(method: str, response: Json) -> None:
    """Hold a response to the schema of its method's result, or to that of errors.

    As some libraries have it, a result may be accompanied by `"error": null` or members of their
    own.

    Raises:
        SchemaError: it does not follow it.
    """
    is_error = isinstance(response, dict) and response.get("error") is not None
    check("error" if is_error else f"{method}-result", response)


def _escaped(part: Any) -> str:  # noqa: ANN401 (jsonschema's paths hold text and numbers)
    return str(part).replace("~", "~0").replace("/", "~1")


@cache
def _validator(name: str) -> Draft202012Validator:
    from jsonschema import Draft202012Validator  # noqa: PLC0415 (slow, and off the hot path)
    from referencing import Registry, Resource  # noqa: PLC0415 (the same)

    registry: Registry[Any] = Registry().with_resources(
        (f"{_URN}{one}", Resource.from_contents(schema(one))) for one in SCHEMA_NAMES
    )
    return Draft202012Validator(schema(name), registry=registry)
