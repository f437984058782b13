"""Winter Kingdom, version 0, is gone: version 1 corrects its rules."""

raise ImportError(
    "winter_kingdom_v0 is gone: its rules were corrected (docs/readings.md); use winter_kingdom_v1, "
    "or install winterkingdom_env 0.5.0 to go on with what was played or trained under v0",
    name="winterkingdom_env.winter_kingdom_v0",
)
