import GraphQLRuntime

/// An enum whose cases do not fit one byte.
enum Many: GraphQL.Enum {
  case v0, v1, v2, v3, v4, v5, v6, v7, v8, v9, v10, v11
  case v12, v13, v14, v15, v16, v17, v18, v19, v20, v21, v22, v23
  case v24, v25, v26, v27, v28, v29, v30, v31, v32, v33, v34, v35
  case v36, v37, v38, v39, v40, v41, v42, v43, v44, v45, v46, v47
  case v48, v49, v50, v51, v52, v53, v54, v55, v56, v57, v58, v59
  case v60, v61, v62, v63, v64, v65, v66, v67, v68, v69, v70, v71
  case v72, v73, v74, v75, v76, v77, v78, v79, v80, v81, v82, v83
  case v84, v85, v86, v87, v88, v89, v90, v91, v92, v93, v94, v95
  case v96, v97, v98, v99, v100, v101, v102, v103, v104, v105, v106, v107
  case v108, v109, v110, v111, v112, v113, v114, v115, v116, v117, v118, v119
  case v120, v121, v122, v123, v124, v125, v126, v127, v128, v129, v130, v131
  case v132, v133, v134, v135, v136, v137, v138, v139, v140, v141, v142, v143
  case v144, v145, v146, v147, v148, v149, v150, v151, v152, v153, v154, v155
  case v156, v157, v158, v159, v160, v161, v162, v163, v164, v165, v166, v167
  case v168, v169, v170, v171, v172, v173, v174, v175, v176, v177, v178, v179
  case v180, v181, v182, v183, v184, v185, v186, v187, v188, v189, v190, v191
  case v192, v193, v194, v195, v196, v197, v198, v199, v200, v201, v202, v203
  case v204, v205, v206, v207, v208, v209, v210, v211, v212, v213, v214, v215
  case v216, v217, v218, v219, v220, v221, v222, v223, v224, v225, v226, v227
  case v228, v229, v230, v231, v232, v233, v234, v235, v236, v237, v238, v239
  case v240, v241, v242, v243, v244, v245, v246, v247, v248, v249, v250, v251
  case v252, v253, v254, v255, v256, v257, v258, v259, v260, v261, v262, v263
  case v264, v265, v266, v267, v268, v269, v270, v271, v272, v273, v274, v275
  case v276, v277, v278, v279, v280, v281, v282, v283, v284, v285, v286, v287
  case v288, v289, v290, v291, v292, v293, v294, v295, v296, v297, v298, v299
  case unknownValue(String)

  static var _names: StaticString {
    """
    V0 V1 V2 V3 V4 V5 V6 V7 V8 V9 V10 V11 \
    V12 V13 V14 V15 V16 V17 V18 V19 V20 V21 V22 V23 \
    V24 V25 V26 V27 V28 V29 V30 V31 V32 V33 V34 V35 \
    V36 V37 V38 V39 V40 V41 V42 V43 V44 V45 V46 V47 \
    V48 V49 V50 V51 V52 V53 V54 V55 V56 V57 V58 V59 \
    V60 V61 V62 V63 V64 V65 V66 V67 V68 V69 V70 V71 \
    V72 V73 V74 V75 V76 V77 V78 V79 V80 V81 V82 V83 \
    V84 V85 V86 V87 V88 V89 V90 V91 V92 V93 V94 V95 \
    V96 V97 V98 V99 V100 V101 V102 V103 V104 V105 V106 V107 \
    V108 V109 V110 V111 V112 V113 V114 V115 V116 V117 V118 V119 \
    V120 V121 V122 V123 V124 V125 V126 V127 V128 V129 V130 V131 \
    V132 V133 V134 V135 V136 V137 V138 V139 V140 V141 V142 V143 \
    V144 V145 V146 V147 V148 V149 V150 V151 V152 V153 V154 V155 \
    V156 V157 V158 V159 V160 V161 V162 V163 V164 V165 V166 V167 \
    V168 V169 V170 V171 V172 V173 V174 V175 V176 V177 V178 V179 \
    V180 V181 V182 V183 V184 V185 V186 V187 V188 V189 V190 V191 \
    V192 V193 V194 V195 V196 V197 V198 V199 V200 V201 V202 V203 \
    V204 V205 V206 V207 V208 V209 V210 V211 V212 V213 V214 V215 \
    V216 V217 V218 V219 V220 V221 V222 V223 V224 V225 V226 V227 \
    V228 V229 V230 V231 V232 V233 V234 V235 V236 V237 V238 V239 \
    V240 V241 V242 V243 V244 V245 V246 V247 V248 V249 V250 V251 \
    V252 V253 V254 V255 V256 V257 V258 V259 V260 V261 V262 V263 \
    V264 V265 V266 V267 V268 V269 V270 V271 V272 V273 V274 V275 \
    V276 V277 V278 V279 V280 V281 V282 V283 V284 V285 V286 V287 \
    V288 V289 V290 V291 V292 V293 V294 V295 V296 V297 V298 V299
    """
  }

  static var _cases: [Many] {
    [
      .v0, .v1, .v2, .v3, .v4, .v5, .v6, .v7, .v8, .v9, .v10, .v11,
      .v12, .v13, .v14, .v15, .v16, .v17, .v18, .v19, .v20, .v21, .v22, .v23,
      .v24, .v25, .v26, .v27, .v28, .v29, .v30, .v31, .v32, .v33, .v34, .v35,
      .v36, .v37, .v38, .v39, .v40, .v41, .v42, .v43, .v44, .v45, .v46, .v47,
      .v48, .v49, .v50, .v51, .v52, .v53, .v54, .v55, .v56, .v57, .v58, .v59,
      .v60, .v61, .v62, .v63, .v64, .v65, .v66, .v67, .v68, .v69, .v70, .v71,
      .v72, .v73, .v74, .v75, .v76, .v77, .v78, .v79, .v80, .v81, .v82, .v83,
      .v84, .v85, .v86, .v87, .v88, .v89, .v90, .v91, .v92, .v93, .v94, .v95,
      .v96, .v97, .v98, .v99, .v100, .v101, .v102, .v103, .v104, .v105, .v106, .v107,
      .v108, .v109, .v110, .v111, .v112, .v113, .v114, .v115, .v116, .v117, .v118, .v119,
      .v120, .v121, .v122, .v123, .v124, .v125, .v126, .v127, .v128, .v129, .v130, .v131,
      .v132, .v133, .v134, .v135, .v136, .v137, .v138, .v139, .v140, .v141, .v142, .v143,
      .v144, .v145, .v146, .v147, .v148, .v149, .v150, .v151, .v152, .v153, .v154, .v155,
      .v156, .v157, .v158, .v159, .v160, .v161, .v162, .v163, .v164, .v165, .v166, .v167,
      .v168, .v169, .v170, .v171, .v172, .v173, .v174, .v175, .v176, .v177, .v178, .v179,
      .v180, .v181, .v182, .v183, .v184, .v185, .v186, .v187, .v188, .v189, .v190, .v191,
      .v192, .v193, .v194, .v195, .v196, .v197, .v198, .v199, .v200, .v201, .v202, .v203,
      .v204, .v205, .v206, .v207, .v208, .v209, .v210, .v211, .v212, .v213, .v214, .v215,
      .v216, .v217, .v218, .v219, .v220, .v221, .v222, .v223, .v224, .v225, .v226, .v227,
      .v228, .v229, .v230, .v231, .v232, .v233, .v234, .v235, .v236, .v237, .v238, .v239,
      .v240, .v241, .v242, .v243, .v244, .v245, .v246, .v247, .v248, .v249, .v250, .v251,
      .v252, .v253, .v254, .v255, .v256, .v257, .v258, .v259, .v260, .v261, .v262, .v263,
      .v264, .v265, .v266, .v267, .v268, .v269, .v270, .v271, .v272, .v273, .v274, .v275,
      .v276, .v277, .v278, .v279, .v280, .v281, .v282, .v283, .v284, .v285, .v286, .v287,
      .v288, .v289, .v290, .v291, .v292, .v293, .v294, .v295, .v296, .v297, .v298, .v299,
    ]
  }

  func _position(_ text: inout String) -> Int {
    switch self {
    case .v0: return 0
    case .v1: return 1
    case .v2: return 2
    case .v3: return 3
    case .v4: return 4
    case .v5: return 5
    case .v6: return 6
    case .v7: return 7
    case .v8: return 8
    case .v9: return 9
    case .v10: return 10
    case .v11: return 11
    case .v12: return 12
    case .v13: return 13
    case .v14: return 14
    case .v15: return 15
    case .v16: return 16
    case .v17: return 17
    case .v18: return 18
    case .v19: return 19
    case .v20: return 20
    case .v21: return 21
    case .v22: return 22
    case .v23: return 23
    case .v24: return 24
    case .v25: return 25
    case .v26: return 26
    case .v27: return 27
    case .v28: return 28
    case .v29: return 29
    case .v30: return 30
    case .v31: return 31
    case .v32: return 32
    case .v33: return 33
    case .v34: return 34
    case .v35: return 35
    case .v36: return 36
    case .v37: return 37
    case .v38: return 38
    case .v39: return 39
    case .v40: return 40
    case .v41: return 41
    case .v42: return 42
    case .v43: return 43
    case .v44: return 44
    case .v45: return 45
    case .v46: return 46
    case .v47: return 47
    case .v48: return 48
    case .v49: return 49
    case .v50: return 50
    case .v51: return 51
    case .v52: return 52
    case .v53: return 53
    case .v54: return 54
    case .v55: return 55
    case .v56: return 56
    case .v57: return 57
    case .v58: return 58
    case .v59: return 59
    case .v60: return 60
    case .v61: return 61
    case .v62: return 62
    case .v63: return 63
    case .v64: return 64
    case .v65: return 65
    case .v66: return 66
    case .v67: return 67
    case .v68: return 68
    case .v69: return 69
    case .v70: return 70
    case .v71: return 71
    case .v72: return 72
    case .v73: return 73
    case .v74: return 74
    case .v75: return 75
    case .v76: return 76
    case .v77: return 77
    case .v78: return 78
    case .v79: return 79
    case .v80: return 80
    case .v81: return 81
    case .v82: return 82
    case .v83: return 83
    case .v84: return 84
    case .v85: return 85
    case .v86: return 86
    case .v87: return 87
    case .v88: return 88
    case .v89: return 89
    case .v90: return 90
    case .v91: return 91
    case .v92: return 92
    case .v93: return 93
    case .v94: return 94
    case .v95: return 95
    case .v96: return 96
    case .v97: return 97
    case .v98: return 98
    case .v99: return 99
    case .v100: return 100
    case .v101: return 101
    case .v102: return 102
    case .v103: return 103
    case .v104: return 104
    case .v105: return 105
    case .v106: return 106
    case .v107: return 107
    case .v108: return 108
    case .v109: return 109
    case .v110: return 110
    case .v111: return 111
    case .v112: return 112
    case .v113: return 113
    case .v114: return 114
    case .v115: return 115
    case .v116: return 116
    case .v117: return 117
    case .v118: return 118
    case .v119: return 119
    case .v120: return 120
    case .v121: return 121
    case .v122: return 122
    case .v123: return 123
    case .v124: return 124
    case .v125: return 125
    case .v126: return 126
    case .v127: return 127
    case .v128: return 128
    case .v129: return 129
    case .v130: return 130
    case .v131: return 131
    case .v132: return 132
    case .v133: return 133
    case .v134: return 134
    case .v135: return 135
    case .v136: return 136
    case .v137: return 137
    case .v138: return 138
    case .v139: return 139
    case .v140: return 140
    case .v141: return 141
    case .v142: return 142
    case .v143: return 143
    case .v144: return 144
    case .v145: return 145
    case .v146: return 146
    case .v147: return 147
    case .v148: return 148
    case .v149: return 149
    case .v150: return 150
    case .v151: return 151
    case .v152: return 152
    case .v153: return 153
    case .v154: return 154
    case .v155: return 155
    case .v156: return 156
    case .v157: return 157
    case .v158: return 158
    case .v159: return 159
    case .v160: return 160
    case .v161: return 161
    case .v162: return 162
    case .v163: return 163
    case .v164: return 164
    case .v165: return 165
    case .v166: return 166
    case .v167: return 167
    case .v168: return 168
    case .v169: return 169
    case .v170: return 170
    case .v171: return 171
    case .v172: return 172
    case .v173: return 173
    case .v174: return 174
    case .v175: return 175
    case .v176: return 176
    case .v177: return 177
    case .v178: return 178
    case .v179: return 179
    case .v180: return 180
    case .v181: return 181
    case .v182: return 182
    case .v183: return 183
    case .v184: return 184
    case .v185: return 185
    case .v186: return 186
    case .v187: return 187
    case .v188: return 188
    case .v189: return 189
    case .v190: return 190
    case .v191: return 191
    case .v192: return 192
    case .v193: return 193
    case .v194: return 194
    case .v195: return 195
    case .v196: return 196
    case .v197: return 197
    case .v198: return 198
    case .v199: return 199
    case .v200: return 200
    case .v201: return 201
    case .v202: return 202
    case .v203: return 203
    case .v204: return 204
    case .v205: return 205
    case .v206: return 206
    case .v207: return 207
    case .v208: return 208
    case .v209: return 209
    case .v210: return 210
    case .v211: return 211
    case .v212: return 212
    case .v213: return 213
    case .v214: return 214
    case .v215: return 215
    case .v216: return 216
    case .v217: return 217
    case .v218: return 218
    case .v219: return 219
    case .v220: return 220
    case .v221: return 221
    case .v222: return 222
    case .v223: return 223
    case .v224: return 224
    case .v225: return 225
    case .v226: return 226
    case .v227: return 227
    case .v228: return 228
    case .v229: return 229
    case .v230: return 230
    case .v231: return 231
    case .v232: return 232
    case .v233: return 233
    case .v234: return 234
    case .v235: return 235
    case .v236: return 236
    case .v237: return 237
    case .v238: return 238
    case .v239: return 239
    case .v240: return 240
    case .v241: return 241
    case .v242: return 242
    case .v243: return 243
    case .v244: return 244
    case .v245: return 245
    case .v246: return 246
    case .v247: return 247
    case .v248: return 248
    case .v249: return 249
    case .v250: return 250
    case .v251: return 251
    case .v252: return 252
    case .v253: return 253
    case .v254: return 254
    case .v255: return 255
    case .v256: return 256
    case .v257: return 257
    case .v258: return 258
    case .v259: return 259
    case .v260: return 260
    case .v261: return 261
    case .v262: return 262
    case .v263: return 263
    case .v264: return 264
    case .v265: return 265
    case .v266: return 266
    case .v267: return 267
    case .v268: return 268
    case .v269: return 269
    case .v270: return 270
    case .v271: return 271
    case .v272: return 272
    case .v273: return 273
    case .v274: return 274
    case .v275: return 275
    case .v276: return 276
    case .v277: return 277
    case .v278: return 278
    case .v279: return 279
    case .v280: return 280
    case .v281: return 281
    case .v282: return 282
    case .v283: return 283
    case .v284: return 284
    case .v285: return 285
    case .v286: return 286
    case .v287: return 287
    case .v288: return 288
    case .v289: return 289
    case .v290: return 290
    case .v291: return 291
    case .v292: return 292
    case .v293: return 293
    case .v294: return 294
    case .v295: return 295
    case .v296: return 296
    case .v297: return 297
    case .v298: return 298
    case .v299: return 299
    case .unknownValue(let unknown):
      text = unknown
      return -1
    }
  }
}
