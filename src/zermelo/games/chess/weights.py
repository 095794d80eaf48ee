"""The weights of the evaluation, in hundredths of a pawn: for the middle game, and for the endgame.

They were fitted, all at once, to what an engine's shallow search says of quiet positions (docs/games/chess.md).
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
     148  135  143  148     73   58   74   69
     153  139  163  160     64   58   77   48
     123  134  139  157     75   68   74   53
     109  113  136  147     73   50   48   34
     116  133  119  109     45   49   48   65
     104  131  119  107     61   37   54   57
       0    0    0    0      0    0    0    0
""")
KNIGHT_AT = squares("""
     313  357  377  394    235  255  266  263
     398  403  422  422    277  278  288  286
     431  441  437  465    284  278  294  298
     455  450  433  459    291  310  305  315
     422  444  444  436    283  306  306  325
     397  425  432  443    289  282  279  288
     410  424  424  429    282  276  262  279
     386  404  409  421    265  253  265  271
""")
BISHOP_AT = squares("""
     376  372  358  358    291  288  287  289
     397  395  380  383    304  301  300  297
     429  435  427  432    313  308  321  321
     425  439  440  439    308  313  325  352
     446  418  438  440    315  327  339  344
     425  443  432  433    325  339  345  352
     463  454  435  429    298  303  312  312
     438  438  412  409    313  304  301  312
""")
ROOK_AT = squares("""
     538  531  532  524    545  543  552  546
     542  550  545  531    553  562  562  554
     528  533  529  527    554  547  544  545
     517  527  533  526    545  552  541  535
     489  509  503  502    518  532  529  523
     502  511  508  490    515  524  523  516
     496  501  507  515    537  529  525  511
     513  510  529  560    506  513  509  489
""")
QUEEN_AT = squares("""
     968 1012 1041 1053   1011 1013 1019 1030
    1031 1059 1067 1063   1025 1029 1037 1045
    1071 1067 1066 1069   1030 1030 1041 1042
    1085 1062 1056 1058   1023 1025 1029 1039
    1079 1067 1071 1052   1007 1020 1022 1026
    1067 1093 1083 1063    997 1006 1008  999
    1090 1088 1094 1090    992  994  990  985
    1070 1087 1076 1085    987  994  980  966
""")
KING_AT = squares("""
     -75  -75  -78  -80     52   42   22   12
     -77  -76  -78  -82     34   51   36   20
     -80  -84  -86  -90     24   31   31    5
     -84  -91  -96  -98     13   12   13    8
     -73  -91  -97 -108     10    2   -3    8
     -50  -59  -78 -104      0    9   20   17
     -10    5  -42  -55     20   13   29   18
      79   58    9   26      0    2   -1  -28
""")
# by the squares that it can go to
KNIGHT_MOVES = table("-49 -22 -12 -8 4 11 18 27 48", "-52 -26 -25 -5 12 18 16 31 33")
BISHOP_MOVES = table("-36 -27 -7 0 8 12 17 19 30 28 26 42 37 33", "-50 -29 -14 7 8 26 21 23 25 21 12 25 29 26")
ROOK_MOVES = table("-61 -23 -5 -5 5 13 11 23 24 1 10 24 45 13 -10", "-49 -38 -23 -17 14 19 28 35 46 73 64 43 55 60 48")
QUEEN_MOVES = table(
    "-53 -53 -47 -30 -13 -14 -3 2 11 17 21 22 14 22 27 21 23 25 7 13 1 -4 -15 -20 -23 -29 -31 -32",
    "-18 -18 -30 -42 -31 -19 -20 -16 2 17 29 33 52 55 56 56 41 52 43 29 18 25 17 15 15 7 6 6",
)
# by attacks on the squares around the other king
KING_ATTACK = table(
    "0 0 0 -9 -5 23 6 21 5 -4 35 59 47 72 87 107 123 148 169 167 161 173 198 194 190 188 184 179 174 169 172 173",
    "0 -7 -12 -30 -30 -21 -16 -24 -17 -2 -26 -15 -34 -35 -55 -61 "
    "-77 -94 -109 -106 -106 -110 -104 -106 -109 -108 -108 -110 -113 -117 -114 -112",
)
# a pawn that no pawn can stop, by its rank from 1
PASSED = table("-25 -26 -68 -60 -57 -69 -47 -123", "-13 -8 13 57 86 170 244 72")
# a rook on a file with an own pawn, only with pawns of the other side, without any
OPEN_FILES = table("0 21 45", "0 34 -7")
PAIR = pair(44, 17)  # two bishops
OUTPOST = pair(33, 28)  # a knight or bishop that a pawn guards and none can drive away
DOUBLED = pair(-40, -2)  # a pawn behind another
ISOLATED = pair(-6, -3)  # a pawn without another on the files beside
CONNECTED = pair(9, 10)  # a pawn beside another or guarded by one
BACKWARD = pair(-5, 4)  # a pawn that cannot step forward safely, nor be helped
THREAT_BY_PAWN = pair(83, 80)  # a man attacked by a pawn
THREAT_BY_MINOR = pair(69, 82)  # a rook or queen attacked by a knight or bishop
THREAT_BY_ROOK = pair(92, 33)  # a queen attacked by a rook
PASSED_KING = pair(15, -19)  # a step of the own king from the square before a passed pawn
PASSED_FOE = pair(-9, 22)  # a step of the other king
SHELTER = pair(19, 16)  # a pawn beside or before the king
TEMPO = pair(25, 15)  # to be on the move
