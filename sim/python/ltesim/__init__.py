"""LTE MIMO detection: simulated by the program ltesim, and as functions over numpy arrays.

    import ltesim
    ber = ltesim.run("quick", only="ber").ber          # ber["snr_db"], ber["ber"], ...
    x = ltesim.invert(a)                               # a [..., n, n]
    bits = ltesim.detect(h, y, n0, "16qam")            # h [sc, rx, tx], y [7, sc, rx]
    bits, iterations = ltesim.decode(llr)              # llr [..., 3, k + 4]
"""

from ltesim._arrays import detect, invert
from ltesim._coding import decode, encode, rate_match
from ltesim._library import __version__
from ltesim._results import Result, read
from ltesim._run import run

__all__ = ["Result", "__version__", "decode", "detect", "encode", "invert", "rate_match", "read", "run"]
