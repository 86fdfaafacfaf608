"""LTE MIMO detection: simulated by the program ltesim, and as functions over numpy arrays.

    import ltesim
    ber = ltesim.run("quick", only="ber").ber          # ber["snr_db"], ber["ber"], ...
    x = ltesim.invert(a)                               # a [..., n, n]
    bits = ltesim.detect(h, y, n0, "16qam")            # h [sc, rx, tx], y [7, sc, rx]
"""

from ltesim._arrays import detect, invert
from ltesim._library import __version__
from ltesim._run import Result, read, run

__all__ = ["Result", "__version__", "detect", "invert", "read", "run"]
