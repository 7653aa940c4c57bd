/* SPDX-License-Identifier: MIT */
/* A variable that every thread has for itself. */
#pragma once

#ifdef _MSC_VER
#define SKL_THREAD_LOCAL __declspec(thread)
#else
#define SKL_THREAD_LOCAL _Thread_local
#endif
