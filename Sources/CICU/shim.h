#include <unicode/ucnv.h>
#include <unicode/ucsdet.h>
