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

/// Whether the pixels of an opened picture are upright and in sRGB as they are.
static inline int cvips_is_plain(VipsImage *image) {
    return vips_image_get_interpretation(image) == VIPS_INTERPRETATION_sRGB
        && vips_image_get_format(image) == VIPS_FORMAT_UCHAR && vips_image_get_typeof(image, VIPS_META_ICC_NAME) == 0
        && vips_image_get_orientation(image) == 1;
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

/// Whether nothing shines through the picture: it has no alpha channel, or one that is opaque everywhere.
static inline int cvips_is_opaque(VipsImage *image) {
    if (!vips_image_hasalpha(image)) return 1;
    VipsImage *alpha = NULL;
    double least = 0;
    if (vips_extract_band(image, &alpha, vips_image_get_bands(image) - 1, NULL) != 0) return 0;
    int failed = vips_min(alpha, &least, NULL);
    g_object_unref(alpha);
    return failed == 0 && least >= 255;
}

/// The picture without an alpha channel: where something shines through, it is white. vips_flatten takes the last band
/// for alpha, whatever it is.
static inline VipsImage *cvips_flat(VipsImage *image) {
    VipsImage *flat = NULL;
    if (!vips_image_hasalpha(image)) {
        g_object_ref(image);
        return image;
    }
    VipsArrayDouble *white = vips_array_double_newv(1, 255.0);
    (void)vips_flatten(image, &flat, "background", white, NULL);
    vips_area_unref(VIPS_AREA(white));
    return flat;
}

/// Encodes the picture as JPEG without metadata. Where something shines through, it is white.
static inline int cvips_save_jpeg(VipsImage *image, int quality, void **bytes, size_t *count) {
    VipsImage *flat = cvips_flat(image);
    if (flat == NULL) return -1;
    // Colour at half the resolution of brightness, as cameras store it, in one pass.
    int failed = vips_jpegsave_buffer(
        flat, bytes, count, "Q", quality, "subsample_mode", VIPS_FOREIGN_SUBSAMPLE_ON, "strip", TRUE, NULL);
    g_object_unref(flat);
    return failed;
}

/// Encodes the picture as PNG without metadata.
static inline int cvips_save_png(VipsImage *image, void **bytes, size_t *count) {
    return vips_pngsave_buffer(image, bytes, count, "compression", 6, "strip", TRUE, NULL);
}

/// Encodes the frames of the picture as GIF without metadata.
static inline int cvips_save_gif(VipsImage *image, void **bytes, size_t *count) {
    return vips_gifsave_buffer(image, bytes, count, "effort", 3, "strip", TRUE, NULL);
}

// Covers: a title and a site in white on a colour, above a picture.

/// Draws text as a mask of one band, which is at most this large; NULL where no font can be read.
static inline VipsImage *cvips_text(const char *text, const char *font, int width, int height) {
    VipsImage *mask = NULL, *part = NULL;
    char *escaped = g_markup_escape_text(text, -1);
    int failed = vips_text(
        &mask, escaped, "font", font, "width", width, "wrap", VIPS_TEXT_WRAP_WORD_CHAR, "dpi", 96, NULL);
    g_free(escaped);
    if (failed != 0) return NULL;
    int drawn_width = vips_image_get_width(mask), drawn_height = vips_image_get_height(mask);
    if (drawn_width <= width && drawn_height <= height) return mask;
    failed = vips_crop(mask, &part, 0, 0, MIN(drawn_width, width), MIN(drawn_height, height), NULL);
    g_object_unref(mask);
    return failed == 0 ? part : NULL;
}

/// A picture of one colour. One pixel is computed, and the others are copies of it.
static inline VipsImage *cvips_plain(int width, int height, double red, double green, double blue) {
    VipsImage *black = NULL, *coloured = NULL, *pixel = NULL, *out = NULL;
    double one[] = {1, 1, 1}, colour[] = {red, green, blue};
    if (vips_black(&black, 1, 1, "bands", 3, NULL) != 0) return NULL;
    if (vips_linear(black, &coloured, one, colour, 3, "uchar", TRUE, NULL) == 0
        && vips_copy(coloured, &pixel, "interpretation", VIPS_INTERPRETATION_sRGB, NULL) == 0)
        (void)vips_embed(pixel, &out, 0, 0, width, height, "extend", VIPS_EXTEND_COPY, NULL);
    g_object_unref(black);
    if (coloured != NULL) g_object_unref(coloured);
    if (pixel != NULL) g_object_unref(pixel);
    return out;
}

/// Puts white text on a picture, within which it must lie. Takes over both; without a mask the picture stays as it is.
/// Only the part below the text is computed.
static inline VipsImage *cvips_with_text(VipsImage *image, VipsImage *mask, int left, int top) {
    if (image == NULL || mask == NULL) return image;
    VipsImage *part = NULL, *text = NULL, *out = NULL;
    int width = vips_image_get_width(mask), height = vips_image_get_height(mask);
    VipsImage *white = cvips_plain(width, height, 255, 255, 255);
    if (white != NULL && vips_extract_area(image, &part, left, top, width, height, NULL) == 0
        && vips_ifthenelse(mask, white, part, &text, "blend", TRUE, NULL) == 0)
        (void)vips_insert(image, text, &out, left, top, NULL);
    if (white != NULL) g_object_unref(white);
    if (part != NULL) g_object_unref(part);
    if (text != NULL) g_object_unref(text);
    g_object_unref(mask);
    g_object_unref(image);
    return out;
}

/// Puts the middle of a file's picture at the bottom. Takes over the image, which stays as it is where the file cannot
/// be read.
static inline VipsImage *cvips_with_picture(VipsImage *image, const void *bytes, size_t count, int height) {
    if (image == NULL) return NULL;
    VipsImage *picture = NULL, *flat = NULL, *whole = NULL, *out = NULL;
    int width = vips_image_get_width(image), top = vips_image_get_height(image) - height;
    // A picture that the server stores has the colours of the cover. To convert them takes longer than to decode it.
    VipsImage *header = cvips_open(bytes, count, "");
    int is_plain = header != NULL && cvips_is_plain(header);
    if (header != NULL) g_object_unref(header);
    if (vips_thumbnail_buffer((void *)bytes, count, &picture, width, "height", height, "crop",
            VIPS_INTERESTING_CENTRE, is_plain ? NULL : "export_profile", "srgb", NULL) == 0
        && (flat = cvips_flat(picture)) != NULL
        && vips_colourspace(flat, &whole, VIPS_INTERPRETATION_sRGB, NULL) == 0)
        (void)vips_insert(image, whole, &out, 0, top, NULL);
    if (picture != NULL) g_object_unref(picture);
    if (flat != NULL) g_object_unref(flat);
    if (whole != NULL) g_object_unref(whole);
    if (out == NULL) return image;
    g_object_unref(image);
    return out;
}

static inline int cvips_pages(VipsImage *image) { return vips_image_get_n_pages(image); }
static inline int cvips_page_height(VipsImage *image) { return vips_image_get_page_height(image); }
static inline void cvips_release(VipsImage *image) { g_object_unref(image); }
static inline void cvips_free(void *bytes) { g_free(bytes); }
