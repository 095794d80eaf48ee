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
     132  120  129  122    123  109  100   87
     118  109  128  137    106  103   90   71
     101  124  128  141    109  111   88   80
      95  107  126  126     95   87   68   63
      97  121  105   93     72   62   69   83
      88  110  106   86     77   59   73   65
       0    0    0    0      0    0    0    0
""")
KNIGHT_AT = squares("""
     347  371  378  391    327  347  353  368
     374  390  405  407    346  361  369  380
     413  422  419  431    363  372  378  400
     417  415  419  426    377  393  391  408
     391  402  415  414    385  389  395  409
     376  407  404  406    382  378  368  399
     378  393  405  398    365  370  373  380
     370  383  392  387    349  342  370  388
""")
BISHOP_AT = squares("""
     399  395  393  406    368  365  359  367
     405  401  419  423    367  376  370  377
     415  420  437  445    366  374  382  383
     457  447  437  446    358  365  377  382
     445  432  444  442    359  366  380  380
     439  452  447  438    376  375  394  378
     439  454  451  438    371  374  371  352
     432  423  422  429    390  369  374  342
""")
ROOK_AT = squares("""
     554  554  555  549    716  703  697  685
     541  533  544  550    718  705  703  699
     533  525  531  537    722  705  702  701
     510  508  509  510    711  700  689  688
     478  495  496  507    696  691  681  679
     475  479  486  487    692  678  690  683
     454  480  484  481    687  687  676  678
     482  475  485  506    657  665  661  651
""")
QUEEN_AT = squares("""
    1013 1010 1006 1018   1353 1348 1339 1349
    1026 1022 1017 1016   1356 1355 1352 1353
    1031 1042 1017 1021   1356 1361 1361 1362
    1048 1023 1015 1016   1354 1353 1354 1364
    1024 1014 1019 1005   1343 1345 1351 1354
    1031 1041 1022 1019   1335 1336 1346 1342
    1020 1022 1044 1036   1324 1332 1329 1325
    1025 1019 1020 1031   1321 1322 1319 1313
""")
KING_AT = squares("""
     -94  -94  -95  -96     98   97  100  101
     -93  -94  -96  -97     97   92   97  102
     -93  -95  -98 -101     78   74   84   97
     -91  -94 -101 -109     48   60   69   85
     -84  -89 -102 -129     25   34   49   54
     -56  -71  -88 -116     12   15   30   24
      -1  -20  -64  -77      8    5   16    9
      52   49    2    9      0  -16  -23  -41
""")
# by the squares that it can go to
KNIGHT_MOVES = table(
    "-30 -19 -9 -8 5 10 17 25 17",
    "-51 -47 -25 -8 0 7 12 26 21",
)
BISHOP_MOVES = table(
    "-26 -23 -8 1 6 13 15 21 24 22 33 61 64 68",
    "-81 -52 -45 -25 0 10 28 33 42 21 23 26 29 33",
)
ROOK_MOVES = table(
    "-56 -19 -4 -6 0 5 13 15 25 9 48 64 74 65 71",
    "-136 -99 -62 -33 6 10 15 25 29 36 26 21 23 13 16",
)
QUEEN_MOVES = table(
    "-43 -43 -32 -21 -10 -9 0 2 11 13 15 20 17 16 14 7 13 13 13 18 17 26 28 25 24 24 24 24",
    "-102 -102 -105 -107 -107 -90 -78 -63 -52 -29 0 37 50 57 67 68 74 67 58 49 34 33 32 29 26 26 26 25",
)
# by attacks on the squares around the other king
KING_ATTACK = table(
    "0 -4 -8 -35 -12 6 14 1 6 24 42 21 12 41 65 77 96 105 121 114 98 107 122 126 132 131 131 131 130 130 130 130",
    "0 -10 -21 -29 -30 -30 -35 -50 -38 -42 -18 -9 -9 -6 -11 -14 -13 -13 -11 -16 -26 -24 -19 -17 -16 -17 -19 -20 -22 -22 -22 -22",
)
# a pawn that no pawn can stop, by its rank from 1
PASSED = table(
    "42 42 12 16 26 28 40 40",
    "-71 -71 -43 -16 24 100 149 149",
)
# a rook on a file with an own pawn, only with pawns of the other side, without any
OPEN_FILES = table(
    "0 28 45",
    "0 17 5",
)
PAIR = pair(14, 68)  # two bishops
OUTPOST = pair(47, 24)  # a knight or bishop that a pawn guards and none can drive away
DOUBLED = pair(-40, 8)  # a pawn behind another
ISOLATED = pair(0, -10)  # a pawn without another on the files beside
CONNECTED = pair(10, 15)  # a pawn beside another or guarded by one
BACKWARD = pair(-2, -7)  # a pawn that cannot step forward safely, nor be helped
THREAT_BY_PAWN = pair(73, 98)  # a piece attacked by a pawn
THREAT_BY_MINOR = pair(65, 102)  # a rook or queen attacked by a knight or bishop
THREAT_BY_ROOK = pair(132, 87)  # a queen attacked by a rook
PASSED_KING = pair(1, -12)  # a step of the own king from the square before a passed pawn
PASSED_FOE = pair(-11, 32)  # a step of the other king
SHELTER = pair(18, 11)  # a pawn beside or before the king
TEMPO = pair(25, 15)  # to be on the move
