import os

import pytest


@pytest.fixture(scope="session")
def library_probe():
    return os.environ["LTE_LIBRARY_PROBE"]
