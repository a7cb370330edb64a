#include <gumbo.h>
#include <setjmp.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

// gumbo has no limits of its own: it is quadratic on deep or misnested mark-up, and freeing a deep tree recurses.
// So every parse gets its memory from an arena that counts. The arena leaves the parser by longjmp when a parse has
// taken more memory or time than it may, and is freed chunk by chunk, without gumbo_destroy_output and its recursion.
// gumbo is plain C and asks for memory at every token, so the time is looked at often enough and nothing is skipped
// that would have needed cleaning up.
// Chunks come from the system and go back to it: malloc would keep them for its thread, and a crowd of threads that each
// had a large page once would hold the memory of all of them.

typedef struct lectern_gumbo_chunk {
    struct lectern_gumbo_chunk *next;
    /// Bytes with this head, which has to keep what follows aligned to 16.
    size_t size;
} lectern_gumbo_chunk;

/// A quarter of a megabyte with its head: no page of memory is begun for the head alone.
enum { lectern_gumbo_chunk_size = 262144 - sizeof(lectern_gumbo_chunk) };

typedef struct {
    jmp_buf out_of_budget;
    lectern_gumbo_chunk *chunks;
    char *free_at;
    char *last_block;
    size_t free_bytes;
    size_t bytes_left;
    uint32_t blocks_until_clock;
    uint64_t deadline;
    bool is_out_of_memory;
    GumboOutput *output;
} lectern_gumbo_parse_state;

/// Nanoseconds of processor time this thread has used: other load on the machine does not count against a page.
static inline uint64_t lectern_gumbo_clock(void) {
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static inline void *lectern_gumbo_allocate(void *userdata, size_t size) {
    lectern_gumbo_parse_state *state = (lectern_gumbo_parse_state *)userdata;
    if (--state->blocks_until_clock == 0) {
        state->blocks_until_clock = 256;
        if (lectern_gumbo_clock() > state->deadline) longjmp(state->out_of_budget, 1);
    }
    if (size == 0) size = 1;
    if (size > ((size_t)1 << 40)) longjmp(state->out_of_budget, 1);
    size = (size + 15) & ~(size_t)15;
    if (size > state->free_bytes) {
        // Big blocks get a chunk of their own size; the rest of the current chunk is given up.
        size_t chunk_size = size > lectern_gumbo_chunk_size ? size : lectern_gumbo_chunk_size;
        if (chunk_size > state->bytes_left) longjmp(state->out_of_budget, 1);
        size_t mapped = sizeof(lectern_gumbo_chunk) + chunk_size;
        void *memory = mmap(NULL, mapped, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (memory == MAP_FAILED) {
            state->is_out_of_memory = true;
            longjmp(state->out_of_budget, 1);
        }
        lectern_gumbo_chunk *chunk = (lectern_gumbo_chunk *)memory;
        chunk->size = mapped;
        state->bytes_left -= chunk_size;
        chunk->next = state->chunks;
        state->chunks = chunk;
        state->free_at = (char *)(chunk + 1);
        state->free_bytes = chunk_size;
    }
    state->last_block = state->free_at;
    state->free_at += size;
    state->free_bytes -= size;
    return state->last_block;
}

/// Only the newest block can be given back; that is the pattern of gumbo's short-lived token buffers.
static inline void lectern_gumbo_deallocate(void *userdata, void *block) {
    lectern_gumbo_parse_state *state = (lectern_gumbo_parse_state *)userdata;
    if (block && block == state->last_block) {
        state->free_bytes += (size_t)(state->free_at - state->last_block);
        state->free_at = state->last_block;
        state->last_block = NULL;
    }
}

static inline size_t lectern_gumbo_length(const char *text) { return strlen(text); }

static inline void lectern_gumbo_free(lectern_gumbo_parse_state *state) {
    lectern_gumbo_chunk *chunk = state->chunks;
    while (chunk) {
        lectern_gumbo_chunk *next = chunk->next;
        munmap(chunk, chunk->size);
        chunk = next;
    }
    free(state);
}

/// Parses UTF-8. NULL when the parse would take more than `max_bytes` of memory or `max_nanoseconds` of processor time.
/// `is_out_of_memory` then tells whether it was not the page: the system had none left.
/// `fragment` is GUMBO_TAG_LAST for a document, else the element the text is to be the content of.
/// What it returns must be given to lectern_gumbo_free, and the text must live until then.
static inline lectern_gumbo_parse_state *lectern_gumbo_parse(
    const char *text, size_t length, GumboTag fragment, size_t max_bytes, uint64_t max_nanoseconds,
    bool *is_out_of_memory) {
    lectern_gumbo_parse_state *state = (lectern_gumbo_parse_state *)calloc(1, sizeof(lectern_gumbo_parse_state));
    *is_out_of_memory = !state;
    if (!state) return NULL;
    state->bytes_left = max_bytes;
    state->blocks_until_clock = 256;
    state->deadline = lectern_gumbo_clock() + max_nanoseconds;
    if (setjmp(state->out_of_budget)) {
        *is_out_of_memory = state->is_out_of_memory;
        lectern_gumbo_free(state);
        return NULL;
    }
    GumboOptions options = kGumboDefaultOptions;
    options.allocator = lectern_gumbo_allocate;
    options.deallocator = lectern_gumbo_deallocate;
    options.userdata = state;
    options.max_errors = 0;
    options.fragment_context = fragment;
    state->output = gumbo_parse_with_options(&options, text, length);
    return state;
}
