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
  file(SHA256 "${path}" sha256)
  string(APPEND c "static const unsigned char ${name}_bytes[] = {\n${bytes}};\n"
    "const struct web_file web_${name} = {(const char *)${name}_bytes, sizeof ${name}_bytes, "
    "\"${sha256}\"};\n")
  set(c "${c}" PARENT_SCOPE)
endfunction()

set(web "${CMAKE_CURRENT_LIST_DIR}")
include("${web}/join.cmake")

get_filename_component(directory "${OUTPUT}" DIRECTORY)
join_report("${directory}/report.js")
embed(report_js "${directory}/report.js")
embed(report_css "${web}/report.css")
embed(flame_graph_css "${web}/flame_graph.css")
embed(flame_graph_js "${web}/flame_graph.js")
file(WRITE "${OUTPUT}" "${c}")
