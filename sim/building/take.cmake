# Makes a program that is linked BUILD/ltesim, unless it is that already, and writes its WORD, here or
# whole, to BUILD/program.txt, and LIBRARIES, LTE_SETTLED of libraries.cmake, to BUILD/libraries.txt.
set(word "")
if(EXISTS ${BUILD}/program.txt)
  file(STRINGS ${BUILD}/program.txt word LIMIT_COUNT 1)
endif()
if(NOT word STREQUAL WORD OR NOT EXISTS ${BUILD}/ltesim OR ${PROGRAM} IS_NEWER_THAN ${BUILD}/ltesim)
  file(CREATE_LINK ${PROGRAM} ${BUILD}/ltesim.new COPY_ON_ERROR)
  file(RENAME ${BUILD}/ltesim.new ${BUILD}/ltesim)
  file(WRITE ${BUILD}/program.txt "${WORD}\n")
endif()
file(WRITE ${BUILD}/libraries.txt "${LIBRARIES}\n")
