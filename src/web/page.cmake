# cmake -D OUTPUT=FILE -D MODULE=FILE -D FORMATS=FILE -D VERSION=NUMBER -D "DOCUMENTS=FILE;FILE..."
#   -D PARTS=DIRECTORY -P page.cmake
#
# Makes supprof.html: page.html with its styles and scripts, the program (MODULE), its formats, an
# example and the recorder. The page's policy allows these scripts and styles only, by their hashes.
# DOCUMENTS are the licences of what is linked to the program. What is made on the way is in PARTS.
# Needs gzip and base64.
cmake_minimum_required(VERSION 3.22)

set(web "${CMAKE_CURRENT_LIST_DIR}")
get_filename_component(root "${web}/../.." ABSOLUTE)
set(pages "${root}/src/report/pages")
include("${pages}/join.cmake")
set(directory "${PARTS}")

# A file in base64, gzipped.
function(pack result path)
  execute_process(COMMAND gzip -9nc "${path}" COMMAND base64 -w0 OUTPUT_VARIABLE text
    RESULTS_VARIABLE statuses)
  if(NOT statuses STREQUAL "0;0")
    message(FATAL_ERROR "gzip or base64 failed")
  endif()
  set(${result} "${text}" PARENT_SCOPE)
endfunction()

# pack() packs it again.
execute_process(COMMAND gzip -dc "${root}/fixtures/recorded-spikes.log.gz"
  OUTPUT_FILE "${directory}/example.log" RESULT_VARIABLE status)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "gzip failed")
endif()
pack(example "${directory}/example.log")
pack(recorder "${root}/profiler.lua")
pack(module "${MODULE}")

join_report("${directory}")
join("${directory}/page.js" "${web}/page_request.js" "${web}/page_run.js" "${web}/page.js")
join("${directory}/worker.js" "${web}/wasi_files.js" "${web}/wasi.js" "${web}/page_worker.js")
put_source(report_script "${directory}/report.js")
put_source(page_script "${directory}/page.js")
put_source(support_script "${web}/page_support.js")
put_source(report_style "${directory}/report.css")
put_source(page_style "${web}/page.css")
string(CONCAT policy "default-src 'none'; connect-src 'none'; "
  "script-src ${support_script} ${page_script} ${report_script} 'wasm-unsafe-eval'; "
  "style-src ${report_style} ${page_style}; worker-src blob:; img-src data: blob:; "
  "base-uri 'none'; form-action 'none'")

set(licence "")
foreach(path "${root}/LICENSE" ${DOCUMENTS})
  file(READ "${path}" text)
  get_filename_component(folder "${path}" DIRECTORY)
  get_filename_component(name "${folder}" NAME)
  if(NOT path STREQUAL "${root}/LICENSE")
    string(PREPEND text "\n\n${name}\n\n")
  endif()
  string(APPEND licence "${text}")
endforeach()
string(REPLACE "&" "&amp;" licence "${licence}")
string(REPLACE "<" "&lt;" licence "${licence}")
string(REPLACE ">" "&gt;" licence "${licence}")
string(REGEX REPLACE "[ \t]+\n" "\n" licence "${licence}")

file(READ "${web}/page.html" page)
# put NAME TEXT: replaces @NAME@, which occurs in the template.
function(put name text)
  string(FIND "${page}" "@${name}@" at)
  if(at EQUAL -1)
    message(FATAL_ERROR "page.html has no @${name}@")
  endif()
  string(REPLACE "@${name}@" "${text}" page "${page}")
  set(page "${page}" PARENT_SCOPE)
endfunction()
# put_file NAME PATH
function(put_file name path)
  check_embeddable("${path}")
  file(READ "${path}" text)
  put(${name} "${text}")
  set(page "${page}" PARENT_SCOPE)
endfunction()
put(POLICY "${policy}")
put(VERSION "${VERSION}")
put(LICENCE "${licence}")
put(MODULE "${module}")
put(EXAMPLE "${example}")
put(RECORDER "${recorder}")
put_file(FORMATS "${FORMATS}")
put_file(REPORT_STYLE "${directory}/report.css")
put_file(PAGE_STYLE "${web}/page.css")
put_file(WORKER "${directory}/worker.js")
put_file(SUPPORT_SCRIPT "${web}/page_support.js")
put_file(PAGE_SCRIPT "${directory}/page.js")
file(WRITE "${OUTPUT}" "${page}")
