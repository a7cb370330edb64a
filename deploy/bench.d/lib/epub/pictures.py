#!/usr/bin/env python3
"""Draws photographs of noise and colour as WebP files: FOLDER COUNT WIDTH HEIGHT. No two are alike."""

import os
import random
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from PIL import Image


def draw(folder, number, width, height):
    chance = random.Random(number)
    grain = Image.frombytes("RGB", (width // 8, height // 8), chance.randbytes(width // 8 * (height // 8) * 3))
    shade = Image.linear_gradient("L").resize((width, height))
    picture = Image.composite(grain.resize((width, height), Image.Resampling.BICUBIC),
                              Image.new("RGB", (width, height), tuple(chance.randbytes(3))), shade)
    picture.save(Path(folder) / f"{number}.webp", quality=80, method=0)


if __name__ == "__main__":
    folder, count, width, height = sys.argv[1], *map(int, sys.argv[2:])
    with ProcessPoolExecutor(os.cpu_count()) as pool:
        for job in [pool.submit(draw, folder, number, width, height) for number in range(count)]:
            job.result()
