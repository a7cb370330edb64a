#include <stdint.h>
#include <stdlib.h>
#include <poppler.h>

// The used parts of Poppler, without GLib's macros and types.

enum { pdf_good = 0, pdf_encrypted = 1, pdf_damaged = 2 };

typedef struct pdf_file pdf_file;
typedef struct { double left, top, right, bottom; } pdf_box;

/// Opens a file in memory, which is copied. Returns NULL and the reason on failure.
static inline pdf_file *pdf_open(const void *bytes, size_t count, int *why) {
    GError *error = NULL;
    GBytes *held = g_bytes_new(bytes, count);
    PopplerDocument *document = poppler_document_new_from_bytes(held, NULL, &error);
    g_bytes_unref(held);
    *why = pdf_good;
    if (document == NULL) {
        *why = error != NULL && error->domain == POPPLER_ERROR && error->code == POPPLER_ERROR_ENCRYPTED ? pdf_encrypted : pdf_damaged;
        g_clear_error(&error);
    }
    return (pdf_file *)document;
}

static inline void pdf_close(pdf_file *file) { g_object_unref(file); }

static inline int pdf_page_count(pdf_file *file) { return poppler_document_get_n_pages((PopplerDocument *)file); }

// The caller owns the returned strings and frees them with g_free. NULL means none.
static inline char *pdf_title(pdf_file *file) { return poppler_document_get_title((PopplerDocument *)file); }
static inline char *pdf_author(pdf_file *file) { return poppler_document_get_author((PopplerDocument *)file); }
static inline void pdf_free(void *memory) { g_free(memory); }

/// Returns the text of a page and a box for each character. The caller frees both with pdf_free. The height is the
/// page's.
static inline char *pdf_page_text(pdf_file *file, int number, pdf_box **boxes, unsigned *count, double *height) {
    PopplerRectangle *rectangles = NULL;
    guint found = 0;
    double width = 0;
    *boxes = NULL;
    *count = 0;
    *height = 0;
    PopplerPage *page = poppler_document_get_page((PopplerDocument *)file, number);
    if (page == NULL) return NULL;
    poppler_page_get_size(page, &width, height);
    char *text = poppler_page_get_text(page);
    if (text != NULL && poppler_page_get_text_layout(page, &rectangles, &found)) {
        *boxes = (pdf_box *)g_malloc0_n(found > 0 ? found : 1, sizeof(pdf_box));
        *count = found;
        for (guint i = 0; i < found; i++) {
            const PopplerRectangle *r = &rectangles[i];
            (*boxes)[i].left = r->x1 < r->x2 ? r->x1 : r->x2;
            (*boxes)[i].right = r->x1 < r->x2 ? r->x2 : r->x1;
            (*boxes)[i].top = r->y1 < r->y2 ? r->y1 : r->y2;
            (*boxes)[i].bottom = r->y1 < r->y2 ? r->y2 : r->y1;
        }
        g_free(rectangles);
    }
    g_object_unref(page);
    return text;
}
