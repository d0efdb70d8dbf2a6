"""Edits of other people's settings files that change one entry and not a byte more."""

from commonplace.clients.connect.formats import json_edit, toml_edit, yaml_edit
from commonplace.clients.connect.formats.base import Format

FORMATS: dict[str, Format] = {"json": json_edit, "toml": toml_edit, "yaml": yaml_edit}
