"""The version of the installed package."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("winterkingdom_env")
except PackageNotFoundError:  # a checkout that is not installed
    VERSION = "unknown"
