# cmake -D OUTPUT=FILE -P commit.cmake: writes a header with the commit of the sources, if it is known:
# SUPPROF_COMMIT of the environment, or what git says of a clone, or what git wrote into .commit when
# it made an archive of the sources.
cmake_minimum_required(VERSION 3.22)
get_filename_component(sources "${CMAKE_CURRENT_LIST_DIR}/../.." ABSOLUTE)
set(commit "$ENV{SUPPROF_COMMIT}")
# Not the commit of another repository around an unpacked archive.
if(commit STREQUAL "" AND EXISTS "${sources}/.git")
  execute_process(COMMAND git -C "${sources}" describe --always --exclude=* --abbrev=10 --dirty=+changes
    OUTPUT_VARIABLE commit OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
elseif(commit STREQUAL "" AND EXISTS "${sources}/.commit")
  file(STRINGS "${sources}/.commit" commit REGEX "^[0-9a-f]+$")
  string(SUBSTRING "${commit}" 0 10 commit)
endif()
set(text "")
if(commit MATCHES "^[0-9a-f]+([+]changes)?$")
  set(text "commit ${commit}")
endif()
file(CONFIGURE OUTPUT "${OUTPUT}" CONTENT "#define SUPPROF_COMMIT \"@text@\"\n" @ONLY)
