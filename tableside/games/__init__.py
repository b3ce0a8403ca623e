"""The games that come with tableside, a folder each. Nothing outside names one."""
