"""Everyday English beside Spanish: what one says first, drawn by rules."""

from tt_utils.data.phrasebook.rules import phrases

__all__ = ["phrases"]
