# The Debian package, made by cpack -G DEB (preset package).
set(CPACK_GENERATOR DEB)
# A package needs an address; the project has none for mail.
set(CPACK_PACKAGE_CONTACT "The supprof developers <maintainers@supprof.invalid>")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_RELEASE 1)
set(CPACK_DEBIAN_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_DESCRIPTION "supprof says where the time goes in the Lua of Supreme Commander: Forged
Alliance and its mods (LOUD, FAF). It reads the log of a recorded game,
rebuilds the call stacks, and shows which functions made which ticks slow:
on a terminal, as a page for any web browser, or in the formats of other
profilers. The recorder for the game, profiler.lua, comes with it.")
# What only Debian wants: compressed documents, and its folder for completions of zsh.
set(CPACK_PRE_BUILD_SCRIPTS ${CMAKE_CURRENT_LIST_DIR}/documents.cmake)
set(CPACK_SUPPROF_SOURCE ${PROJECT_SOURCE_DIR})
include(CPack)
