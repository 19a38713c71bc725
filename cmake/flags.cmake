# Compiler flags of every target of ours, as one interface library (third-party code does not get them).
add_library(depyf_flags INTERFACE)
target_compile_features(depyf_flags INTERFACE cxx_std_20)
target_compile_options(depyf_flags INTERFACE -Wall -Wextra -Wconversion -Wshadow)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  # GCC bugs 105651 and 105562: false alarms about std::string
  target_compile_options(depyf_flags INTERFACE -Wno-restrict -Wno-maybe-uninitialized)
endif()
if(DEPYF_WERROR)
  target_compile_options(depyf_flags INTERFACE -Werror)
endif()
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  # Debug has the assertions; unoptimised it would be too slow to run the tests with.
  target_compile_options(depyf_flags INTERFACE -O1)
  target_compile_definitions(depyf_flags INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(DEPYF_SANITIZE)
  target_compile_options(depyf_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=undefined
                                               -fno-omit-frame-pointer)
  target_link_options(depyf_flags INTERFACE -fsanitize=address,undefined)
endif()
if(DEPYF_LTO)
  set(CMAKE_INTERPROCEDURAL_OPTIMIZATION ON)
endif()
if(NOT CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # clang's counters need llvm-profdata
elseif(DEPYF_PROFILE STREQUAL "generate")
  add_compile_options(-fprofile-generate)
  add_link_options(-fprofile-generate)
elseif(DEPYF_PROFILE STREQUAL "use")
  # What training did not run is no fault of the sources.
  add_compile_options(-fprofile-use -Wno-missing-profile -Wno-coverage-mismatch)
endif()
