#include <gmodule.h>
#include <malloc.h>
#include <stdlib.h>
#include <vips/vips.h>
#include <vips/vector.h>

// dladdr(3), which the C library declares only under _GNU_SOURCE, and that a Swift import cannot set.
struct cvips_place {
    const char *file;
    void *base;
    const char *symbol;
    void *address;
};
extern int dladdr(const void *, struct cvips_place *);

// libvips, as far as it is variadic and Swift cannot call it. Options of a loader stand in `options`, as in "[n=-1]".

/// Starts the library without its modules: of those only the one for HEIF and AVIF is wanted, and the others load half of a
/// system's libraries with them.
static inline int cvips_start(const char *name) {
    setenv("VIPSHOME", "/nonexistent", 1);
    // What it finds odd about a picture is nobody's to read.
    setenv("VIPS_WARNING", "1", 1);
    if (vips_init(name) != 0) return -1;
    struct cvips_place library;
    if (dladdr((void *)vips_init, &library) != 0) {
        char *folder = g_path_get_dirname(library.file);
        char *path = g_strdup_printf("%s/vips-modules-%d.%d/vips-heif.so", folder, vips_version(0), vips_version(1));
        (void)g_module_open(path, G_MODULE_BIND_LAZY);
        g_free(path);
        g_free(folder);
    }
    // One thread beside the main one; no code made at run time; nothing kept from one picture to the next.
    vips_concurrency_set(1);
    vips_vector_set_enabled(FALSE);
    vips_cache_set_max(0);
    vips_leak_set(FALSE);
    // All threads share one heap: each of their own would take address space for itself.
    mallopt(M_ARENA_MAX, 1);
    return 0;
}

/// What a picture says of itself; its pixels stay undecoded.
static inline VipsImage *cvips_open(const void *bytes, size_t count, const char *options) {
    return vips_image_new_from_buffer(bytes, count, options, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

/// The picture, turned upright, in sRGB, and no larger than this; loaders shrink while they decode where they can.
static inline VipsImage *cvips_thumbnail(const void *bytes, size_t count, const char *options, int width, int height) {
    VipsImage *out = NULL;
    if (vips_thumbnail_buffer((void *)bytes, count, &out, width, "height", height, "size", VIPS_SIZE_DOWN,
            "option_string", options, "export_profile", "srgb", NULL) != 0) return NULL;
    return out;
}

/// The same of pixels: four bytes each, red, green, blue, alpha.
static inline VipsImage *cvips_thumbnail_of_pixels(const void *pixels, int width, int height, int max_side) {
    VipsImage *in = vips_image_new_from_memory_copy(pixels, (size_t)width * height * 4, width, height, 4, VIPS_FORMAT_UCHAR);
    if (in == NULL) return NULL;
    VipsImage *tagged = NULL, *out = NULL;
    if (vips_copy(in, &tagged, "interpretation", VIPS_INTERPRETATION_sRGB, NULL) == 0) {
        (void)vips_thumbnail_image(tagged, &out, max_side, "height", max_side, "size", VIPS_SIZE_DOWN, NULL);
        g_object_unref(tagged);
    }
    g_object_unref(in);
    return out;
}

/// With all its pixels in memory, and of all that is said about them only what an animation needs. What they are without a
/// profile is sRGB.
static inline VipsImage *cvips_decoded(VipsImage *image) {
    static const char *const kept[] = {VIPS_META_PAGE_HEIGHT, VIPS_META_N_PAGES, "delay", "loop", NULL};
    VipsImage *pixels = vips_image_copy_memory(image), *out = NULL;
    if (pixels == NULL) return NULL;
    if (vips_copy(pixels, &out, NULL) == 0) {
        char **names = vips_image_get_fields(out);
        for (char **name = names; name != NULL && *name != NULL; name++)
            if (!g_strv_contains(kept, *name)) (void)vips_image_remove(out, *name);
        g_strfreev(names);
    }
    g_object_unref(pixels);
    return out;
}

/// As WebP, without a word about where, when and by whom it was taken.
static inline int cvips_save_webp(VipsImage *image, int quality, int lossless, int effort, void **bytes, size_t *count) {
    return vips_webpsave_buffer(image, bytes, count, "Q", quality, "lossless", lossless, "effort", effort, "strip", TRUE, NULL);
}

static inline int cvips_pages(VipsImage *image) { return vips_image_get_n_pages(image); }
static inline int cvips_page_height(VipsImage *image) { return vips_image_get_page_height(image); }
static inline void cvips_release(VipsImage *image) { g_object_unref(image); }
static inline void cvips_free(void *bytes) { g_free(bytes); }
