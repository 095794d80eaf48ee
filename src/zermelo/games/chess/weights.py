"""The weights of the evaluation, in hundredths of a pawn: for the middle game, and for the endgame.

They were fitted, all at once, to what an engine's shallow search says of quiet positions: `python -m bench.chess_weights` writes the
numbers (docs/games/chess.md).
"""

from __future__ import annotations


def pair(middle: int, end: int) -> int:
    """Both weights in one number."""
    return (end << 32) + middle


def table(middle: str, end: str) -> tuple[int, ...]:
    """A weight for each count from 0."""
    return tuple(pair(int(m), int(e)) for m, e in zip(middle.split(), end.split(), strict=True))


def squares(text: str) -> tuple[int, ...]:
    """A weight for each square, from rows for the ranks 8 to 1: files a to d in the middle game, then in the endgame.

    The files e to h are their mirror images: the board has no left and right but by castling.
    """
    rows = [[int(x) for x in line.split()] for line in reversed(text.strip().splitlines())]
    return tuple(pair(row[min(x, 7 - x)], row[4 + min(x, 7 - x)]) for row in rows for x in range(8))


PAWN_AT = squares("""
       0    0    0    0      0    0    0    0
     132  119  126  130    127  116   97   97
     122  104  121  139    114  102   93   85
     100  121  124  141    108  107   85   86
      97  104  124  126     97   79   60   73
      96  117  103   92     70   65   68   88
      88  106  103   83     70   57   67   68
       0    0    0    0      0    0    0    0
""")
KNIGHT_AT = squares("""
     348  362  367  374    342  343  341  346
     363  372  380  384    347  351  348  354
     389  396  402  407    353  356  359  365
     398  392  394  408    359  371  368  383
     374  383  393  399    357  364  366  381
     364  389  386  389    358  350  345  378
     362  375  388  376    349  348  351  365
     354  364  379  370    333  328  352  367
""")
BISHOP_AT = squares("""
     377  381  383  389    340  335  333  335
     385  386  401  400    342  341  334  336
     390  399  411  414    337  342  341  342
     421  419  408  417    330  334  341  342
     420  411  410  408    331  339  345  344
     420  423  418  408    343  343  356  339
     420  428  424  412    341  344  345  333
     409  393  394  399    350  341  348  330
""")
ROOK_AT = squares("""
     516  513  515  510    673  657  652  643
     507  506  510  512    680  667  664  661
     505  501  507  510    675  665  668  668
     495  493  493  498    666  657  656  657
     467  486  485  494    654  651  647  645
     469  475  478  474    652  642  645  644
     442  463  466  459    637  639  637  640
     467  464  464  479    625  628  629  619
""")
QUEEN_AT = squares("""
     996 1002 1002 1005   1301 1303 1303 1304
    1006 1009 1003  998   1300 1303 1303 1303
    1007 1010  997  995   1296 1300 1304 1304
    1016  992  982  976   1291 1291 1296 1299
     997  987  986  979   1285 1285 1290 1290
    1001 1010  993  998   1280 1279 1283 1282
     981  987 1011 1003   1268 1272 1273 1274
     980  987  996  998   1266 1268 1268 1262
""")
KING_AT = squares("""
     -74  -75  -75  -76     89   91   95   97
     -74  -75  -76  -77     87   84   91   98
     -74  -75  -78  -80     69   72   79   91
     -73  -75  -81  -87     39   52   61   84
     -69  -69  -81 -105     18   32   51   51
     -45  -54  -72  -85      3    9   19   26
       0  -16  -54  -66     -3   -2    4    0
      32   47    0    5     -5   -5  -16  -35
""")
# by the squares that it can go to
KNIGHT_MOVES = table(
    "-32 -16 -10 -8 3 10 19 23 24",
    "-39 -37 -23 -9 4 4 6 26 27",
)
BISHOP_MOVES = table(
    "-25 -21 -6 2 4 11 13 19 25 37 41 53 46 43",
    "-57 -44 -34 -29 0 1 15 30 57 27 23 29 24 25",
)
ROOK_MOVES = table(
    "-29 -19 -5 -6 0 11 12 16 24 10 33 59 74 74 70",
    "-99 -88 -55 -26 4 3 18 23 31 22 15 21 26 23 18",
)
QUEEN_MOVES = table(
    "-34 -34 -27 -17 -9 -6 -1 2 10 12 15 16 11 14 13 4 9 13 10 10 12 22 30 32 32 33 33 33",
    "-85 -85 -86 -87 -87 -76 -67 -50 -42 -25 -4 21 38 49 62 67 71 67 63 59 53 59 65 68 68 68 68 68",
)
# by attacks on the squares around the other king
KING_ATTACK = table(
    "0 -2 -5 -27 -14 -2 6 1 7 25 39 38 43 42 51 62 87 79 82 82 77 78 86 87 89 88 87 86 85 85 85 85",
    "0 -8 -15 -26 -21 -22 -26 -33 -35 -50 -41 -33 -24 -31 -34 -34 -26 -29 -26 -25 -28 -28 -25 -23 -22 -24 -25 -26 -28 -28 -28 -28",
)
# a pawn that no pawn can stop, by its rank from 1
PASSED = table(
    "-39 -39 -64 -64 -50 -39 -18 -18",
    "-51 -51 -24 -3 27 91 134 134",
)
# a rook on a file with an own pawn, only with pawns of the other side, without any
OPEN_FILES = table(
    "0 26 34",
    "0 15 13",
)
PAIR = pair(21, 86)  # two bishops
OUTPOST = pair(41, 33)  # a knight or bishop that a pawn guards and none can drive away
DOUBLED = pair(-37, 8)  # a pawn behind another
ISOLATED = pair(-3, -8)  # a pawn without another on the files beside
CONNECTED = pair(10, 12)  # a pawn beside another or guarded by one
BACKWARD = pair(2, -16)  # a pawn that cannot step forward safely, nor be helped
THREAT_BY_PAWN = pair(64, 77)  # a man attacked by a pawn
THREAT_BY_MINOR = pair(60, 72)  # a rook or queen attacked by a knight or bishop
THREAT_BY_ROOK = pair(126, -13)  # a queen attacked by a rook
PASSED_KING = pair(9, -13)  # a step of the own king from the square before a passed pawn
PASSED_FOE = pair(0, 28)  # a step of the other king
SHELTER = pair(17, 10)  # a pawn beside or before the king
TEMPO = pair(25, 15)  # to be on the move
