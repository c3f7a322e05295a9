# Run by CPack on the installed files before they are packed.
cmake_minimum_required(VERSION 3.22)
set(share "${CPACK_TEMPORARY_DIRECTORY}/usr/share")
set(documents "${share}/doc/supprof")
file(MAKE_DIRECTORY "${documents}")
file(MAKE_DIRECTORY "${share}/zsh/vendor-completions")
file(RENAME "${share}/zsh/site-functions/_supprof" "${share}/zsh/vendor-completions/_supprof")
file(REMOVE_RECURSE "${share}/zsh/site-functions")

set(sources "${CPACK_SUPPROF_SOURCE}")
configure_file("${sources}/packaging/debian/copyright" "${documents}/copyright" COPYONLY)
configure_file("${sources}/CHANGELOG.md" "${documents}/changelog" COPYONLY)
set(version "${CPACK_PACKAGE_VERSION}-${CPACK_DEBIAN_PACKAGE_RELEASE}")
string(TIMESTAMP date "%a, %d %b %Y %H:%M:%S +0000" UTC)
file(WRITE "${documents}/changelog.Debian" "supprof (${version}) unstable; urgency=medium

  * Made from the sources of version ${CPACK_PACKAGE_VERSION}; their changes are in changelog.gz.

 -- ${CPACK_PACKAGE_CONTACT}  ${date}
")
file(GLOB texts "${share}/man/man*/*" "${documents}/changelog*")
foreach(text ${texts})
  execute_process(COMMAND gzip -9nf "${text}" COMMAND_ERROR_IS_FATAL ANY)
endforeach()
file(GLOB_RECURSE files "${share}/*")
file(CHMOD ${files} PERMISSIONS OWNER_READ OWNER_WRITE GROUP_READ WORLD_READ)
file(GLOB_RECURSE folders LIST_DIRECTORIES true "${share}/*")
list(REMOVE_ITEM folders ${files})
file(CHMOD "${share}" ${folders} PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
