"""Where a submission runs: what goes in, what cuts it off, what comes out.

`choose` finds a kind that works; `stage` and `parcel` pack what goes in, `sitting`
follows one run, `replies` trusts nothing that comes out.
"""
