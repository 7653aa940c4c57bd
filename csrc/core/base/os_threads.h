/* SPDX-License-Identifier: MIT */
/* The little of threads that the pool needs, over POSIX and Windows: locks, conditions, threads that take no signals,
 * what happens to locks in a fork, and a clock. */
#pragma once

/* Enough for a kernel's tiles, on systems that give threads less. */
#define SKL_THREAD_STACK (1024 * 1024)

#ifdef _WIN32

#define WIN32_LEAN_AND_MEAN
#include <process.h>
#include <stdint.h>
#include <windows.h>

typedef SRWLOCK skl_lock;
typedef CONDITION_VARIABLE skl_condition;
typedef HANDLE skl_thread;
typedef unsigned skl_thread_result;
#define SKL_THREAD_CALL __stdcall
#define SKL_LOCK_INIT SRWLOCK_INIT

static inline void skl_lock_init(skl_lock *lock) { InitializeSRWLock(lock); }
static inline void skl_lock_take(skl_lock *lock) { AcquireSRWLockExclusive(lock); }
static inline void skl_lock_give(skl_lock *lock) { ReleaseSRWLockExclusive(lock); }
static inline void skl_condition_init(skl_condition *condition) { InitializeConditionVariable(condition); }
static inline void skl_condition_wait(skl_condition *condition, skl_lock *lock) {
    (void)SleepConditionVariableSRW(condition, lock, INFINITE, 0);
}
static inline void skl_condition_wait_for(skl_condition *condition, skl_lock *lock, int milliseconds) {
    (void)SleepConditionVariableSRW(condition, lock, (DWORD)milliseconds, 0);
}
static inline void skl_condition_wake(skl_condition *condition) { WakeConditionVariable(condition); }

/* Since some time in the past. */
static inline int64_t skl_nanoseconds(void) { return (int64_t)GetTickCount64() * 1000 * 1000; }

/* 1 if it runs. */
static inline int skl_thread_start(skl_thread *thread, skl_thread_result(SKL_THREAD_CALL *function)(void *),
                                   void *context) {
    *thread =
        (HANDLE)_beginthreadex(NULL, SKL_THREAD_STACK, function, context, STACK_SIZE_PARAM_IS_A_RESERVATION, NULL);
    return *thread != NULL;
}

static inline void skl_thread_join(skl_thread thread) {
    (void)WaitForSingleObject(thread, INFINITE);
    (void)CloseHandle(thread);
}

/* There is no fork here, and at exit the system ends the other threads before anything of ours is called. */
static inline void skl_process_watch(void (*before)(void), void (*parent)(void), void (*child)(void),
                                     void (*at_exit)(void)) {
    (void)before;
    (void)parent;
    (void)child;
    (void)at_exit;
}

#else

/* C11 alone hides signals. */
#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L
#endif
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

/* Since glibc 2.34 these functions have a new version of their symbol. The old one is the same function, and with it
 * the library also loads where the C library is older than the one it was linked with. */
#if defined(__GLIBC__) && defined(__x86_64__) && !defined(SKL_NEWEST_SYMBOLS)
__asm__(".symver pthread_create,pthread_create@GLIBC_2.2.5");
__asm__(".symver pthread_join,pthread_join@GLIBC_2.2.5");
__asm__(".symver pthread_sigmask,pthread_sigmask@GLIBC_2.2.5");
__asm__(".symver pthread_attr_setstacksize,pthread_attr_setstacksize@GLIBC_2.2.5");
#elif defined(__GLIBC__) && defined(__aarch64__) && !defined(SKL_NEWEST_SYMBOLS)
__asm__(".symver pthread_create,pthread_create@GLIBC_2.17");
__asm__(".symver pthread_join,pthread_join@GLIBC_2.17");
__asm__(".symver pthread_sigmask,pthread_sigmask@GLIBC_2.17");
__asm__(".symver pthread_attr_setstacksize,pthread_attr_setstacksize@GLIBC_2.17");
#endif

typedef pthread_mutex_t skl_lock;
typedef pthread_cond_t skl_condition;
typedef pthread_t skl_thread;
typedef void *skl_thread_result;
#define SKL_THREAD_CALL
#define SKL_LOCK_INIT PTHREAD_MUTEX_INITIALIZER

static inline void skl_lock_init(skl_lock *lock) { (void)pthread_mutex_init(lock, NULL); }
static inline void skl_lock_take(skl_lock *lock) { (void)pthread_mutex_lock(lock); }
static inline void skl_lock_give(skl_lock *lock) { (void)pthread_mutex_unlock(lock); }
static inline void skl_condition_init(skl_condition *condition) { (void)pthread_cond_init(condition, NULL); }
static inline void skl_condition_wait(skl_condition *condition, skl_lock *lock) {
    (void)pthread_cond_wait(condition, lock);
}
static inline void skl_condition_wait_for(skl_condition *condition, skl_lock *lock, int milliseconds) {
    struct timespec until;
    (void)clock_gettime(CLOCK_REALTIME, &until); /* the clock of conditions */
    until.tv_nsec += milliseconds % 1000 * 1000 * 1000L;
    until.tv_sec += milliseconds / 1000 + until.tv_nsec / (1000 * 1000 * 1000L);
    until.tv_nsec %= 1000 * 1000 * 1000L;
    (void)pthread_cond_timedwait(condition, lock, &until);
}
static inline void skl_condition_wake(skl_condition *condition) { (void)pthread_cond_signal(condition); }

/* Since some time in the past. */
static inline int64_t skl_nanoseconds(void) {
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 * 1000 * 1000 + (int64_t)now.tv_nsec;
}

/* 1 if it runs. All signals stay with the threads of the program, whose handlers know nothing of this one. */
static inline int skl_thread_start(skl_thread *thread, skl_thread_result (*function)(void *), void *context) {
    sigset_t all, before;
    pthread_attr_t attributes;
    if (pthread_attr_init(&attributes) != 0) return 0;
    (void)pthread_attr_setstacksize(&attributes, SKL_THREAD_STACK);
    (void)sigfillset(&all);
    const int masked = pthread_sigmask(SIG_SETMASK, &all, &before) == 0;
    const int started = pthread_create(thread, &attributes, function, context) == 0;
    if (masked) (void)pthread_sigmask(SIG_SETMASK, &before, NULL);
    (void)pthread_attr_destroy(&attributes);
    return started;
}

static inline void skl_thread_join(skl_thread thread) { (void)pthread_join(thread, NULL); }

/* Have the functions called around a fork, and at exit. */
static inline void skl_process_watch(void (*before)(void), void (*parent)(void), void (*child)(void),
                                     void (*at_exit)(void)) {
    (void)pthread_atfork(before, parent, child);
    (void)atexit(at_exit);
}

#endif
