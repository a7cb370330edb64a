#include <gmodule.h>
#include <malloc.h>
#include <stdlib.h>
#include <vips/vips.h>
#include <vips/vector.h>

// For dladdr(3). The C library declares it only under _GNU_SOURCE, which a Swift import cannot set.
struct cvips_place {
    const char *file;
    void *base;
    const char *symbol;
    void *address;
};
extern int dladdr(const void *, struct cvips_place *);

// Wrappers for the variadic functions of libvips, which Swift cannot call. `options` are loader options such as "[n=-1]".

/// Starts the library without its modules, then loads the module for HEIF and AVIF. The other modules would load many
/// more libraries.
static inline int cvips_start(const char *name) {
    setenv("VIPSHOME", "/nonexistent", 1);
    // Suppress warnings about single pictures.
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
    // Use one worker thread, generate no code at run time, and cache nothing between pictures.
    vips_concurrency_set(1);
    vips_vector_set_enabled(FALSE);
    vips_cache_set_max(0);
    vips_leak_set(FALSE);
    // All threads share one heap, because each further heap would reserve address space.
    mallopt(M_ARENA_MAX, 1);
    return 0;
}

/// Reads the header of a picture without decoding its pixels.
static inline VipsImage *cvips_open(const void *bytes, size_t count, const char *options) {
    return vips_image_new_from_buffer(bytes, count, options, "access", VIPS_ACCESS_SEQUENTIAL, NULL);
}

/// Decodes a picture upright, in sRGB and scaled down to this size. Loaders that can, scale while they decode.
static inline VipsImage *cvips_thumbnail(const void *bytes, size_t count, const char *options, int width, int height) {
    VipsImage *out = NULL;
    if (vips_thumbnail_buffer((void *)bytes, count, &out, width, "height", height, "size", VIPS_SIZE_DOWN,
            "option_string", options, "export_profile", "srgb", NULL) != 0) return NULL;
    return out;
}

/// The same for raw pixels of four bytes each: red, green, blue, alpha.
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

/// Copies the picture into memory and removes all metadata except what an animation needs. Without a profile, the colours
/// are sRGB.
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

/// Encodes the picture as WebP without metadata such as place, time and author.
static inline int cvips_save_webp(VipsImage *image, int quality, int lossless, int effort, void **bytes, size_t *count) {
    return vips_webpsave_buffer(image, bytes, count, "Q", quality, "lossless", lossless, "effort", effort, "strip", TRUE, NULL);
}

static inline int cvips_pages(VipsImage *image) { return vips_image_get_n_pages(image); }
static inline int cvips_page_height(VipsImage *image) { return vips_image_get_page_height(image); }
static inline void cvips_release(VipsImage *image) { g_object_unref(image); }
static inline void cvips_free(void *bytes) { g_free(bytes); }
