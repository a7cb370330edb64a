"""Responses that are small when sent and large when decompressed. All of them are spaces, which a page may contain."""

import functools
import zlib

MB = 1_000_000


def make_all():
    """Makes those that take seconds, and longer beside other threads. A site answers at once with what was made before."""
    for megabytes in (1, 40):
        gzipped(megabytes)
        gzipped_twice(megabytes)
    deflated()
    brotli(600)


@functools.cache
def gzipped(megabytes=40):
    return compressed_spaces(megabytes, zlib.MAX_WBITS | 16)


@functools.cache
def deflated(megabytes=40):
    return compressed_spaces(megabytes, zlib.MAX_WBITS)


def compressed_spaces(megabytes, format):
    packer = zlib.compressobj(9, wbits=format)
    return b"".join(packer.compress(b" " * MB) for _ in range(megabytes)) + packer.flush()


@functools.cache
def gzipped_twice(megabytes=40):
    """Gzip twice: the output of the first layer is so repetitive that it compresses well again."""
    packer = zlib.compressobj(9, wbits=zlib.MAX_WBITS | 16)
    return packer.compress(gzipped(megabytes)) + packer.flush()


@functools.cache
def brotli(blocks=6, start=b"", repeated=b"     "):
    """Blocks of 16 MB in about twenty bytes each (RFC 7932). Every code has one symbol of zero bits, so a single command
    says how often the last five bytes are repeated."""
    bits = Bits()
    bits.put(0, 1)  # A window of 64 KB.
    plain = start + repeated
    bits.put(0, 1)  # not the last block
    bits.put(0, 2)  # four nibbles of length follow
    bits.put(len(plain) - 1, 16)
    bits.put(1, 1)  # uncompressed
    bits.fill()
    bits.put(int.from_bytes(plain, "little"), 8 * len(plain))
    for _ in range(blocks):
        length = 5 * 3_355_443  # As much as 24 bits can express, in whole repetitions.
        bits.put(0, 1)  # not the last block
        bits.put(2, 2)  # six nibbles of length follow
        bits.put(length - 1, 24)
        bits.put(0, 1)  # compressed
        bits.put(0, 3)  # one type each of literals, commands and distances
        bits.put(0, 6)  # no direct distances, no postfix
        bits.put(0, 2)  # the literals' context
        bits.put(0, 2)  # one tree of literals, one of distances
        # The only literal (unused), the only command (insert nothing, copy 2,118 bytes or more), the only distance (5
        # or more).
        for symbol, width in [(0, 8), (391, 10), (18, 6)]:
            bits.put(1, 2)  # a simple code
            bits.put(0, 2)  # of one symbol
            bits.put(symbol, width)
        bits.put(length - 2_118, 24)  # The extra length.
        bits.put(0, 2)  # The extra distance.
    bits.put(3, 2)  # the last block, which is empty
    return bits.bytes()


def empty_blocks_in_gigabytes(blocks=600):
    """Gzip in Brotli: 10 GB of empty gzip blocks in 16 KB, which decompress to nothing."""
    return brotli(blocks, bytes.fromhex("1f8b0800000000000003"), bytes.fromhex("000000ffff"))


def zstd(blocks=1_000):
    """Blocks of 128 KB in four bytes each (RFC 8878): one byte and its count."""
    head = bytes.fromhex("28b52ffd") + bytes([0, 0x58])  # No content size, a window of 2 MB.
    size = 128 * 1_024
    block = lambda is_last: (size << 3 | 1 << 1 | is_last).to_bytes(3, "little") + b" "
    return head + block(0) * (blocks - 1) + block(1)


class Bits:
    """Lowest bit first."""

    def __init__(self):
        self.value, self.count = 0, 0

    def put(self, value, width):
        self.value |= value << self.count
        self.count += width

    def fill(self):
        """Up to the next whole byte."""
        self.count += -self.count % 8

    def bytes(self):
        return self.value.to_bytes((self.count + 7) // 8, "little")
