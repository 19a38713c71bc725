// SPDX-License-Identifier: MIT
// The main of the C++ tests. All other files here include <doctest/doctest.h> and contain only TEST_CASEs.
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
