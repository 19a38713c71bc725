// SPDX-License-Identifier: MIT
// The main of the C++ tests. Every other file here includes <doctest/doctest.h> and holds TEST_CASEs, nothing else.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
