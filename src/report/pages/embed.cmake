# cmake -D OUTPUT=FILE -P embed.cmake
#
# Turns the script and style files of web pages into C: for each a `const struct web_file`, as
# declared in embedded.h. Needs only CMake, so it works on every system with CMake.
cmake_minimum_required(VERSION 3.22)

set(c "/* Made by embed.cmake. */\n")

# Appends the definition of `web_NAME` with the contents of a file.
function(embed name path)
  check_embeddable("${path}")
  file(READ "${path}" bytes HEX)
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  put_source(source "${path}")
  string(APPEND c "static const unsigned char ${name}_bytes[] = {\n${bytes}};\n"
    "const struct web_file web_${name} = {(const char *)${name}_bytes, sizeof ${name}_bytes, "
    "\"${source}\"};\n")
  set(c "${c}" PARENT_SCOPE)
endfunction()

set(pages "${CMAKE_CURRENT_LIST_DIR}")
include("${pages}/join.cmake")

get_filename_component(directory "${OUTPUT}" DIRECTORY)
join_report("${directory}")
embed(report_js "${directory}/report.js")
embed(report_css "${directory}/report.css")

# The light colours of the palette: as C, and in a picture's style as the fills that they name.
file(READ "${pages}/frame_colors.css" palette)
string(REGEX REPLACE "@media.*" "" light "${palette}")
string(REGEX MATCHALL "--frame-[0-9]: #[0-9a-f]+" frames "${light}")
string(APPEND c "const char web_palette[PALETTE_COUNT][sizeof \"#5186bf\"] = {")
set(fills "")
foreach(frame ${frames})
  string(REGEX MATCH "(.*): (.*)" whole "${frame}")
  string(APPEND c "\"${CMAKE_MATCH_2}\", ")
  string(APPEND fills "[fill=\"${CMAKE_MATCH_2}\"] { fill: var(${CMAKE_MATCH_1}); }\n")
endforeach()
string(APPEND c "};\n")
file(WRITE "${directory}/fills.css" "${fills}")
join("${directory}/flame_graph.css" "${pages}/frame_colors.css" "${directory}/fills.css"
  "${pages}/svg/flame_graph.css")
embed(flame_graph_css "${directory}/flame_graph.css")

# A picture may be part of a page: its script keeps its names to itself.
join("${directory}/flame_graph.js" "${pages}/frames.js" "${pages}/svg/flame_graph.js")
file(READ "${directory}/flame_graph.js" script)
file(WRITE "${directory}/flame_graph.js" "(function () {\n'use strict';\n${script}}());\n")
embed(flame_graph_js "${directory}/flame_graph.js")
file(WRITE "${OUTPUT}" "${c}")
