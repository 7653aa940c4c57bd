/* SPDX-License-Identifier: MIT */
/* python.exe: all of it is in the DLL. */
#include <wchar.h>

__declspec(dllimport) int Py_Main(int count, wchar_t **arguments);

int wmain(int count, wchar_t **arguments) { return Py_Main(count, arguments); }
