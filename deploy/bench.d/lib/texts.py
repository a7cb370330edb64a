"""Articles of random words in several languages, with frequencies and lengths like those of real ones."""

import itertools
import random

# Words of a language: syllables, endings that its stemmer removes, and some of its most frequent words.
LANGUAGES = {
    "en": ("ba con der ful gra in lo ment or pre ran si ter un ver win".split(), ["", "", "s", "ing", "ed"],
           "the of and to in is that for it was with as on be at by this have from or".split()),
    "de": ("ab ein för gen ha kel lich mü ner schlag stra ung ver wei zeu".split(), ["", "", "en", "er", "es"],
           "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als".split()),
    "fr": ("beau chè dé éta fran gne jou lu mé nou pla qué ron sé tru vi".split(), ["", "", "s", "es", "ait"],
           "de la le et les des en un du une que est pour qui dans a par plus pas au".split()),
    "ru": ("бор вед го дом жи зна ка лес мор но пере раз сто ту хо час".split(), ["", "", "ы", "ами", "ов"],
           "и в не на что с по как это он к но из за то для от же так".split()),
}
# Of ten articles, how many are in which language. "zh" is written without spaces.
SHARES = ["en"] * 5 + ["de", "de", "fr", "ru", "zh"]
FREQUENT = 20
VOCABULARY = 40_000
POOL = 12_000
PARAGRAPH = 60


class Texts:
    """A source of articles, the same ones for the same seed."""

    def __init__(self, seed=21):
        self.random = random.Random(seed)
        self.words = {lang: self._vocabulary(*parts) for lang, parts in LANGUAGES.items()}
        signs = [chr(0x4E00 + n) for n in self.random.sample(range(0x5000), 3_000)]
        rarity = list(itertools.accumulate(1 / (place + 5) for place in range(len(signs))))
        self.words["zh"] = list(dict.fromkeys(
            "".join(self.random.choices(signs, cum_weights=rarity, k=self.random.choice([1, 2, 2, 2, 3])))
            for _ in range(VOCABULARY)))
        self.pools = {lang: self._paragraphs(lang) for lang in self.words}
        self.number = itertools.count()

    def _vocabulary(self, syllables, endings, frequent):
        found = dict.fromkeys(frequent)
        while len(found) < VOCABULARY:
            stem = "".join(self.random.choices(syllables, k=self.random.randint(2, 4)))
            found.update(dict.fromkeys(stem + ending for ending in endings))
        return list(found)

    def _paragraphs(self, lang):
        # Zipf's law: the frequency of a word is the inverse of its place.
        weights = list(itertools.accumulate(1 / (place + 2) for place in range(len(self.words[lang]))))
        drawn = self.random.choices(self.words[lang], cum_weights=weights, k=POOL * PARAGRAPH)
        between, end = ("", "。\n") if lang == "zh" else (" ", ".\n")
        return [between.join(drawn[start : start + PARAGRAPH]) + end for start in range(0, len(drawn), PARAGRAPH)]

    def article(self):
        """Language, title and text. Half of the texts have more than 650 words; each has names that no other has."""
        lang = self.random.choice(SHARES)
        pool, number = self.pools[lang], next(self.number)
        count = max(1, min(400, int(self.random.lognormvariate(2.4, 0.8))))
        paragraphs = self.random.choices(pool, k=count)
        names = f"Name{number:x}q and Place{number * 7919:x}k.\n"
        return lang, paragraphs[0][:60].replace("\n", " "), "".join([*paragraphs, names])
