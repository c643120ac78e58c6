/*-------------------------------------------------------------------------
 *
 * wasm_libc.h
 *	  What PostgreSQL's parser needs of a C library, for WebAssembly.
 *
 * Rust's targets for WebAssembly have no headers, and wasm32-unknown-unknown
 * has no C library either.  All headers of this folder are this one.
 *
 * Functions are static, and have names of our own: nothing clashes with a C
 * library that another crate brings.  Only memcpy, memmove, memset, memcmp and
 * strlen keep their names, since the compiler itself calls them; Rust's
 * standard library has them.  Memory is that of Rust's allocator.
 *
 * There are no files, signals, processes or sockets.  What merely names them,
 * without being called, finds declarations that have no definition: a call
 * would not link.
 *
 *-------------------------------------------------------------------------
 */
#ifndef WASM_LIBC_H
#define WASM_LIBC_H

#include <limits.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ----- Types ----- */

typedef long ssize_t;
typedef long off_t;
typedef int pid_t;
typedef unsigned long dev_t;
typedef unsigned long ino_t;
typedef unsigned int uid_t;
typedef unsigned int gid_t;
typedef unsigned int mode_t;
typedef unsigned int socklen_t;
typedef long long time_t;
typedef long suseconds_t;
typedef int sig_atomic_t;
typedef unsigned long sigset_t;
typedef struct wasm_folder DIR;

struct timeval
{
	time_t		tv_sec;
	suseconds_t tv_usec;
};

struct timespec
{
	time_t		tv_sec;
	long		tv_nsec;
};

struct tm
{
	int			tm_sec;
	int			tm_min;
	int			tm_hour;
	int			tm_mday;
	int			tm_mon;
	int			tm_year;
	int			tm_wday;
	int			tm_yday;
	int			tm_isdst;
};

struct stat
{
	mode_t		st_mode;
	off_t		st_size;
};

struct iovec
{
	void	   *iov_base;
	size_t		iov_len;
};

struct sockaddr
{
	unsigned short sa_family;
};

struct sockaddr_storage
{
	unsigned short ss_family;
};

struct addrinfo
{
	int			ai_family;
};

struct lconv
{
	char	   *decimal_point;
};

/* ----- Formats of integers ----- */

#define PRId64 "lld"
#define PRIu64 "llu"
#define PRIx64 "llx"
#define PRIX64 "llX"
#define PRIo64 "llo"
#define PRIi64 "lli"
#define PRId32 "d"
#define PRIu32 "u"
#define PRIx32 "x"
#define PRIX32 "X"
#define SCNd64 "lld"
#define SCNu64 "llu"
#define SCNx64 "llx"

typedef long long imaxdiv_quotient;

/* ----- Errors: one variable per file, which only the file's own calls of strtol and the like set ----- */

static int	wasm_errno __attribute__((unused));

#define errno wasm_errno
#define EPERM 1
#define ESRCH 3
#define ENXIO 6
#define EXDEV 18
#define EPROTONOSUPPORT 93
#define ENOENT 2
#define EINTR 4
#define EIO 5
#define E2BIG 7
#define ENOEXEC 8
#define EBADF 9
#define ECHILD 10
#define EAGAIN 11
#define ENOMEM 12
#define EACCES 13
#define EFAULT 14
#define EBUSY 16
#define EEXIST 17
#define ENODEV 19
#define ENOTDIR 20
#define EISDIR 21
#define EINVAL 22
#define ENFILE 23
#define EMFILE 24
#define ENOTTY 25
#define EFBIG 27
#define ENOSPC 28
#define EROFS 30
#define EMLINK 31
#define EPIPE 32
#define EDOM 33
#define ERANGE 34
#define EDEADLK 35
#define ENAMETOOLONG 36
#define ENOSYS 38
#define ENOTEMPTY 39
#define EIDRM 43
#define EOVERFLOW 75
#define ENOTSOCK 88
#define EMSGSIZE 90
#define ENOTSUP 95
#define EAFNOSUPPORT 97
#define EADDRINUSE 98
#define EADDRNOTAVAIL 99
#define ENETDOWN 100
#define ENETUNREACH 101
#define ENETRESET 102
#define ECONNABORTED 103
#define ECONNRESET 104
#define ENOBUFS 105
#define EISCONN 106
#define ENOTCONN 107
#define ETIMEDOUT 110
#define ECONNREFUSED 111
#define EHOSTDOWN 112
#define EHOSTUNREACH 113
#define EINPROGRESS 115

/* ----- Memory: Rust's allocator, see src/wasm_memory.rs ----- */

extern void *libpg_query_malloc(size_t size);
extern void *libpg_query_realloc(void *memory, size_t size);
extern void libpg_query_free(void *memory);

#define malloc libpg_query_malloc
#define realloc libpg_query_realloc
#define free libpg_query_free
#define alloca __builtin_alloca

/* ----- The end, which a program in WebAssembly reports as a trap ----- */

#define abort __builtin_trap
#define exit(code) __builtin_trap()
#define _exit(code) __builtin_trap()
#define EXIT_SUCCESS 0
#define EXIT_FAILURE 1

/* ----- Jumps: the compiler recognises these two names, see wasm_setjmp.c ----- */

typedef struct
{
	void	   *words[8];
} jmp_buf[1];
typedef jmp_buf sigjmp_buf;

extern int	setjmp(jmp_buf place) __attribute__((returns_twice));
extern void longjmp(jmp_buf place, int value) __attribute__((noreturn));

#define sigsetjmp(place, mask) setjmp(place)
#define siglongjmp(place, value) longjmp(place, value)

/* ----- Bytes and strings ----- */

extern void *memcpy(void *to, const void *from, size_t length);
extern void *memmove(void *to, const void *from, size_t length);
extern void *memset(void *to, int byte, size_t length);
extern int	memcmp(const void *a, const void *b, size_t length);
extern size_t strlen(const char *text);

/* A function whose name is another one for the linker, and for the optimiser, which would call that of a C library. */
#define WASM_FUNCTION(type, name, parameters) \
	static inline type name parameters __asm__("wasm_" #name) __attribute__((unused)); \
	static inline type name parameters

WASM_FUNCTION(void *, memchr, (const void *memory, int byte, size_t length))
{
	const unsigned char *each = memory;

	for (; length > 0; each++, length--)
	{
		if (*each == (unsigned char) byte)
			return (void *) each;
	}
	return NULL;
}

WASM_FUNCTION(size_t, strnlen, (const char *text, size_t length))
{
	const char *end = memchr(text, '\0', length);

	return end != NULL ? (size_t) (end - text) : length;
}

WASM_FUNCTION(int, strncmp, (const char *a, const char *b, size_t length))
{
	for (; length > 0; a++, b++, length--)
	{
		if (*a != *b)
			return (unsigned char) *a - (unsigned char) *b;
		if (*a == '\0')
			break;
	}
	return 0;
}

WASM_FUNCTION(int, strcmp, (const char *a, const char *b))
{
	return strncmp(a, b, (size_t) -1);
}

WASM_FUNCTION(char *, strchr, (const char *text, int byte))
{
	for (;; text++)
	{
		if (*text == (char) byte)
			return (char *) text;
		if (*text == '\0')
			return NULL;
	}
}

WASM_FUNCTION(char *, strrchr, (const char *text, int byte))
{
	const char *last = NULL;

	for (;; text++)
	{
		if (*text == (char) byte)
			last = text;
		if (*text == '\0')
			return (char *) last;
	}
}

WASM_FUNCTION(char *, strstr, (const char *text, const char *part))
{
	size_t		length = strlen(part);

	for (;; text++)
	{
		if (strncmp(text, part, length) == 0)
			return (char *) text;
		if (*text == '\0')
			return NULL;
	}
}

WASM_FUNCTION(size_t, strspn, (const char *text, const char *bytes))
{
	size_t		length = 0;

	while (text[length] != '\0' && strchr(bytes, text[length]) != NULL)
		length++;
	return length;
}

WASM_FUNCTION(size_t, strcspn, (const char *text, const char *bytes))
{
	size_t		length = 0;

	/* also finds the end */
	while (strchr(bytes, text[length]) == NULL)
		length++;
	return length;
}

WASM_FUNCTION(char *, strcpy, (char *to, const char *from))
{
	return memcpy(to, from, strlen(from) + 1);
}

WASM_FUNCTION(char *, strncpy, (char *to, const char *from, size_t length))
{
	size_t		used = strnlen(from, length);

	memcpy(to, from, used);
	memset(to + used, 0, length - used);
	return to;
}

WASM_FUNCTION(char *, strcat, (char *to, const char *from))
{
	strcpy(to + strlen(to), from);
	return to;
}

#define strcoll(a, b) strcmp(a, b)

WASM_FUNCTION(char *, strdup, (const char *text))
{
	size_t		size = strlen(text) + 1;
	char	   *copy = malloc(size);

	return copy != NULL ? memcpy(copy, text, size) : NULL;
}

/* 18 compiles its own, which then has the prefix of the version. */
#ifdef strlcpy
extern size_t strlcpy(char *to, const char *from, size_t size);
#else
WASM_FUNCTION(size_t, strlcpy, (char *to, const char *from, size_t size))
{
	size_t		length = strlen(from);
	size_t		copied = length < size ? length : size - 1;

	if (size > 0)
	{
		memcpy(to, from, copied);
		to[copied] = '\0';
	}
	return length;
}
#endif

/* Declared as PostgreSQL expects, and not called. */
extern size_t strlcat(char *to, const char *from, size_t size);

/* Nothing here fails with one of these numbers. */
WASM_FUNCTION(char *, strerror, (int number))
{
	return (char *) "error of the system";
}

WASM_FUNCTION(int, strerror_r, (int number, char *buffer, size_t size))
{
	strlcpy(buffer, strerror(number), size);
	return 0;
}

/* ----- Characters: the locale is "C" ----- */

WASM_FUNCTION(int, isupper, (int c))
{
	return c >= 'A' && c <= 'Z';
}

WASM_FUNCTION(int, islower, (int c))
{
	return c >= 'a' && c <= 'z';
}

WASM_FUNCTION(int, isdigit, (int c))
{
	return c >= '0' && c <= '9';
}

WASM_FUNCTION(int, isalpha, (int c))
{
	return isupper(c) || islower(c);
}

WASM_FUNCTION(int, isalnum, (int c))
{
	return isalpha(c) || isdigit(c);
}

WASM_FUNCTION(int, isspace, (int c))
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

WASM_FUNCTION(int, isxdigit, (int c))
{
	return isdigit(c) || (c >= 'A' && c <= 'F') || (c >= 'a' && c <= 'f');
}

WASM_FUNCTION(int, isprint, (int c))
{
	return c >= ' ' && c <= '~';
}

WASM_FUNCTION(int, toupper, (int c))
{
	return islower(c) ? c - 'a' + 'A' : c;
}

WASM_FUNCTION(int, tolower, (int c))
{
	return isupper(c) ? c - 'A' + 'a' : c;
}

#define isgraph(c) (isprint(c) && (c) != ' ')
#define ispunct(c) (isprint(c) && (c) != ' ' && !isalnum(c))
#define iscntrl(c) (((c) >= 0 && (c) < ' ') || (c) == 127)

#define LC_ALL 0
#define LC_COLLATE 1
#define LC_CTYPE 2
#define LC_MESSAGES 3
#define LC_MONETARY 4
#define LC_NUMERIC 5
#define LC_TIME 6
typedef void *locale_t;

#define setlocale(category, locale) ((char *) "C")

/* ----- Numbers ----- */

/*
 * The digits of a number in a base from 2 to 36, or 0 for that of its prefix.
 * Beyond "max" the result is "max", with ERANGE.
 */
WASM_FUNCTION(unsigned long long, wasm_digits, (const char **text, int base, unsigned long long max))
{
	unsigned long long number = 0;
	const char *at = *text;
	bool		overflow = false;

	if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X') &&
		isxdigit((unsigned char) at[2]))
	{
		at += 2;
		base = 16;
	}
	else if (base == 0)
		base = at[0] == '0' ? 8 : 10;
	for (;; at++)
	{
		int			c = tolower((unsigned char) *at);
		int			digit = isdigit(c) ? c - '0' : islower(c) ? c - 'a' + 10 : 36;

		if (digit >= base)
			break;
		*text = at + 1;
		overflow = overflow || number > (max - (unsigned int) digit) / (unsigned int) base;
		if (!overflow)
			number = number * (unsigned int) base + (unsigned int) digit;
	}
	if (overflow)
		errno = ERANGE;
	return overflow ? max : number;
}

WASM_FUNCTION(bool, wasm_sign, (const char **text))
{
	while (isspace((unsigned char) **text))
		(*text)++;
	if (**text == '+' || **text == '-')
		return *(*text)++ == '-';
	return false;
}

/* "max" is the largest number; there is one negative number more than there are positive ones. */
WASM_FUNCTION(long long, wasm_signed, (const char *text, char **end, int base, unsigned long long max))
{
	const char *at = text;
	bool		negative = wasm_sign(&at);
	const char *digits = at;
	unsigned long long number = wasm_digits(&at, base, negative ? max + 1 : max);

	if (end != NULL)
		*end = (char *) (at != digits ? at : text);
	return (long long) (negative ? 0 - number : number);
}

WASM_FUNCTION(unsigned long long, wasm_unsigned, (const char *text, char **end, int base, unsigned long long max))
{
	const char *at = text;
	bool		negative = wasm_sign(&at);
	const char *digits = at;
	unsigned long long number = wasm_digits(&at, base, max);

	if (end != NULL)
		*end = (char *) (at != digits ? at : text);
	return negative ? 0 - number : number;
}

#define strtol(text, end, base) ((long) wasm_signed(text, end, base, LONG_MAX))
#define strtoll(text, end, base) wasm_signed(text, end, base, LLONG_MAX)
#define strtoul(text, end, base) ((unsigned long) wasm_unsigned(text, end, base, ULONG_MAX))
#define strtoull(text, end, base) wasm_unsigned(text, end, base, ULLONG_MAX)
#define atoi(text) ((int) wasm_signed(text, NULL, 10, LONG_MAX))
#define atol(text) strtol(text, NULL, 10)
#define abs(number) __builtin_abs(number)
#define labs(number) __builtin_labs(number)
#define llabs(number) __builtin_llabs(number)

/*
 * Parses a number as far as it reaches, by Rust; see src/wasm_number.rs.  Sets
 * "out_of_range" if it is too large, or too close to zero.
 */
extern double libpg_query_strtod(const char *text, size_t *length, bool *out_of_range);

WASM_FUNCTION(double, strtod, (const char *text, char **end))
{
	size_t		length;
	bool		out_of_range;
	double		number = libpg_query_strtod(text, &length, &out_of_range);

	if (out_of_range)
		errno = ERANGE;
	if (end != NULL)
		*end = (char *) text + length;
	return number;
}

#define strtof(text, end) ((float) strtod(text, end))
#define atof(text) strtod(text, NULL)

#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define INFINITY __builtin_inff()
#define NAN __builtin_nanf("")
#define M_PI 3.14159265358979323846
#define isnan(number) __builtin_isnan(number)
#define isinf(number) __builtin_isinf_sign(number)
#define isfinite(number) __builtin_isfinite(number)
#define signbit(number) __builtin_signbit(number)
#define fabs(number) __builtin_fabs(number)
#define floor(number) __builtin_floor(number)
#define ceil(number) __builtin_ceil(number)
#define rint(number) __builtin_rint(number)
#define sqrt(number) __builtin_sqrt(number)

/* PostgreSQL's own sort. */
extern void pg_qsort(void *items, size_t count, size_t size,
					 int (*compare) (const void *, const void *));

WASM_FUNCTION(void, qsort, (void *items, size_t count, size_t size, int (*compare) (const void *, const void *)))
{
	pg_qsort(items, count, size, compare);
}

extern void *bsearch(const void *key, const void *items, size_t count, size_t size,
					 int (*compare) (const void *, const void *));

/* ----- Output, which nobody reads: PostgreSQL writes before it ends the process ----- */

typedef struct wasm_file FILE;

#define stdin ((FILE *) 0)
#define stdout ((FILE *) 0)
#define stderr ((FILE *) 0)
#define EOF (-1)
#define BUFSIZ 1024
#define SEEK_SET 0

/* PostgreSQL has its own, which calls this one for floating-point numbers.  The parser prints none. */
WASM_FUNCTION(int, snprintf, (char *to, size_t size, const char *format,...))
{
	return -1;
}

extern int	sscanf(const char *text, const char *format,...);
extern int	sprintf(char *to, const char *format,...);
extern int	vsnprintf(char *to, size_t size, const char *format, va_list arguments);
extern int	vsprintf(char *to, const char *format, va_list arguments);
extern int	printf(const char *format,...);
extern int	vprintf(const char *format, va_list arguments);
extern int	fprintf(FILE *file, const char *format,...);
extern int	vfprintf(FILE *file, const char *format, va_list arguments);

#define fwrite(from, size, count, file) ((size_t) (count))
#define fread(to, size, count, file) ((size_t) 0)
#define fputs(text, file) 0
#define fputc(byte, file) (byte)
#define putc(byte, file) (byte)
#define getc(file) EOF
#define fflush(file) 0
#define ferror(file) 0
#define clearerr(file) ((void) 0)
#define fileno(file) 2
#define isatty(file) 0
#define write(file, from, count) ((ssize_t) (count))

/* ----- The system ----- */

#define SIG_DFL ((void (*) (int)) 0)
#define SIG_IGN ((void (*) (int)) 1)
#define SIGHUP 1
#define SIGINT 2
#define SIGQUIT 3
#define SIGABRT 6
#define SIGFPE 8
#define SIGUSR1 10
#define SIGUSR2 12
#define SIGPIPE 13
#define SIGALRM 14
#define SIGTERM 15
#define SIGCHLD 17
#define SIG_BLOCK 0
#define SIG_UNBLOCK 1
#define SIG_SETMASK 2
#define sigprocmask(how, set, old) 0
#define getpid() 1

#define O_RDONLY 0
#define O_WRONLY 1
#define O_RDWR 2
#define O_CREAT 64
#define O_EXCL 128
#define O_TRUNC 512
#define O_APPEND 1024
#define S_IRUSR 0400
#define S_IWUSR 0200
#define S_IXUSR 0100
#define S_IRWXU 0700
#define S_IRGRP 0040
#define S_IWGRP 0020
#define S_IXGRP 0010
#define S_IRWXG 0070
#define S_IROTH 0004
#define S_IXOTH 0001
#define S_IRWXO 0007
#define IOV_MAX 1024
#define PATH_MAX 4096
#define NI_MAXHOST 1025
#define NI_MAXSERV 32

#define LOG_EMERG 0
#define LOG_ALERT 1
#define LOG_CRIT 2
#define LOG_ERR 3
#define LOG_WARNING 4
#define LOG_NOTICE 5
#define LOG_INFO 6
#define LOG_DEBUG 7
#define LOG_PID 1
#define LOG_NDELAY 8
#define LOG_NOWAIT 16
#define LOG_USER (1 << 3)
#define LOG_LOCAL0 (16 << 3)
#define LOG_LOCAL1 (17 << 3)
#define LOG_LOCAL2 (18 << 3)
#define LOG_LOCAL3 (19 << 3)
#define LOG_LOCAL4 (20 << 3)
#define LOG_LOCAL5 (21 << 3)
#define LOG_LOCAL6 (22 << 3)
#define LOG_LOCAL7 (23 << 3)

#define CLOCK_REALTIME 0
#define CLOCK_MONOTONIC 1

extern int	clock_gettime(int clock, struct timespec *now);
extern ssize_t pread(int file, void *to, size_t size, off_t offset);
extern ssize_t preadv(int file, const struct iovec *to, int count, off_t offset);
extern ssize_t pwrite(int file, const void *from, size_t size, off_t offset);
extern ssize_t pwritev(int file, const struct iovec *from, int count, off_t offset);
extern time_t time(time_t *now);
extern char *getenv(const char *name);

#define assert(condition) ((void) 0)

#endif							/* WASM_LIBC_H */
