"""Pictures that people choose, cut and written anew in a worker process: nothing of the file is kept."""

import base64
import io
import warnings
from typing import Final

from jantaku.server.errors import ServerError

SIDE: Final = 128
MOST_SIDE: Final = 1024  # pages send smaller ones; a few bytes may say that they are as large as they like
QUALITY: Final = 82
FORMATS: Final = ("PNG", "JPEG", "WEBP")


def cut(text: str) -> bytes:
    """A square WebP of a picture in base64, without what its file says beside; raises ``bad_picture``."""
    from PIL import Image, ImageOps

    try:
        data = base64.b64decode(text, validate=True)
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=FORMATS) as image:
                if max(image.size) > MOST_SIDE:
                    raise ServerError("bad_picture", field="picture")
                image.draft("RGB", (2 * SIDE, 2 * SIDE))
                plain = ImageOps.exif_transpose(image).convert("RGBA")
    except ServerError:
        raise
    except Exception as error:  # damaged files raise errors of every kind, as TypeError and struct.error
        raise ServerError("bad_picture", field="picture") from error
    paper = Image.new("RGBA", plain.size, "white")
    whole = Image.alpha_composite(paper, plain).convert("RGB")
    square = ImageOps.fit(whole, (SIDE, SIDE), Image.Resampling.LANCZOS)
    out = io.BytesIO()
    clean = Image.new("RGB", square.size)
    clean.paste(square)  # a new picture has no metadata
    clean.save(out, "WEBP", quality=QUALITY, method=4)
    return out.getvalue()
