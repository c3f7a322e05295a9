# join.cmake - for the scripts that embed scripts in pages.

# Joins ES modules that import from each other to one file, imported modules first: imports and
# exports become global names. Two modules must not define the same name. Comments that begin a
# line and indentation stay behind, also those of styles: they are a third of a script; and so do
# types within a line, and the ends of lines where what a line says goes on in the next one. So a
# template must not depend on its lines, no comment stands at the end of such a line, and no text has
# an operator such as = between blanks.
function(join output)
  set(script "")
  set(names "")
  foreach(module ${ARGN})
    file(READ "${module}" contents)
    string(REGEX REPLACE "\nimport [^;]*;" "\n" contents "\n${contents}")
    string(REGEX REPLACE "\nexport " "\n" contents "${contents}")
    string(REGEX REPLACE "\n *//[^\n]*" "" contents "${contents}")
    string(REGEX REPLACE "\n */\\*[^*]*\\*+([^/*][^*]*\\*+)*/" "\n" contents "${contents}")
    string(REGEX MATCHALL "\n(const|let|function|class) +[A-Za-z_0-9]+" defined "${contents}")
    foreach(definition ${defined})
      string(REGEX REPLACE ".* " "" name "${definition}")
      if(name IN_LIST names)
        message(FATAL_ERROR "${module} defines ${name}, as a module before it does")
      endif()
      list(APPEND names "${name}")
    endforeach()
    string(REGEX REPLACE "/\\*\\* @[^*]*\\*+/ ?" "" contents "${contents}")
    string(REGEX REPLACE "\n[\n ]+" "\n" contents "${contents}")
    string(REGEX REPLACE ",?\n([])}])" "\\1" contents "${contents}")
    string(REGEX REPLACE "([,({[?:=>&|+])\n" "\\1" contents "${contents}")
    string(REGEX REPLACE "\n([.?:&|])" "\\1" contents "${contents}")
    if(output MATCHES "css$")
      string(REGEX REPLACE " ?([{};]|: ) ?" "\\1" contents "${contents}")
      string(REGEX REPLACE ": " ":" contents "${contents}")
    else()
      string(REGEX REPLACE " (=>|[=!]==|&&|[|][|]|[?][?]|[+]?=|[<>*]) " "\\1" contents "${contents}")
      string(REGEX REPLACE "[)] {" "){" contents "${contents}")
      string(REPLACE ";}" "}" contents "${contents}")
    endif()
    string(APPEND script "${contents}")
  endforeach()
  file(WRITE "${output}" "${script}")
endfunction()

# Makes report.js and report.css in a directory: the script and the style of a report.
function(join_report directory)
  set(pages "${CMAKE_CURRENT_FUNCTION_LIST_DIR}")
  set(modules format model flame data patterns find state copy elements lead
    ticks game watch repeated overview function flames files compare calls search list export page)
  list(TRANSFORM modules PREPEND "${pages}/html/report_")
  list(TRANSFORM modules APPEND ".js")
  join("${directory}/report.js" "${pages}/frames.js" ${modules})
  join("${directory}/report.css" "${pages}/palette.css" "${pages}/html/report.css")
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

# The source of a file in a policy: 'sha256-...', in base64.
function(put_source result path)
  set(digits ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/)
  file(SHA256 "${path}" hash)
  # 32 bytes are 10 times 3, and 2.
  string(APPEND hash "00")
  set(text "")
  foreach(at RANGE 0 60 6)
    string(SUBSTRING "${hash}" ${at} 6 three)
    foreach(shift 18 12 6 0)
      math(EXPR digit "(0x${three} >> ${shift}) & 63")
      string(SUBSTRING "${digits}" ${digit} 1 character)
      string(APPEND text "${character}")
    endforeach()
  endforeach()
  string(REGEX REPLACE ".$" "=" text "${text}")
  set(${result} "'sha256-${text}'" PARENT_SCOPE)
endfunction()
