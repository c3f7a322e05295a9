# join.cmake - for the scripts that embed scripts in pages.

# Joins ES modules that import from each other to one file, imported modules first: imports and
# exports become global names. Two modules must not define the same name.
function(join output)
  set(script "")
  foreach(module ${ARGN})
    file(READ "${module}" contents)
    string(REGEX REPLACE "\nimport [^;]*;" "\n" contents "\n${contents}")
    string(REGEX REPLACE "\nexport " "\n" contents "${contents}")
    string(APPEND script "${contents}")
  endforeach()
  file(WRITE "${output}" "${script}")
endfunction()

# The script of a report.
function(join_report output)
  set(modules format model flame data state elements ticks page)
  list(TRANSFORM modules PREPEND "${CMAKE_CURRENT_FUNCTION_LIST_DIR}/report_")
  list(TRANSFORM modules APPEND ".js")
  join("${output}" ${modules})
endfunction()

# Stops at text that would end the element around a script or style.
function(check_embeddable path)
  file(READ "${path}" contents)
  foreach(end "]]>" "</script" "</style")
    string(FIND "${contents}" "${end}" at)
    if(NOT at EQUAL -1)
      message(FATAL_ERROR "${path} holds '${end}'")
    endif()
  endforeach()
endfunction()
