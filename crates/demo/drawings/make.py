"""Makes the raster pictures, icons and the video of the sample site from the scenes.

Run by hand when a scene changes: `python3 -B make.py PATH_OF_CHROMIUM`, with Pillow and ffmpeg installed. What it makes is
committed, so nobody needs it to build.
"""

import pathlib
import random
import subprocess
import sys
import tempfile

from PIL import Image, ImageDraw

from scenes import SCENES

SITE = pathlib.Path(__file__).resolve().parent.parent / "site"
WIDE = {"ferry", "flood", "bridge-open"}
FORMATS = {"bridge-works": "webp", "core": "png", "lido": "webp", "fell": "webp", "regatta": "webp"}


def shoot(chromium, svg, size):
    """The drawing as a picture of this size."""
    with tempfile.TemporaryDirectory() as folder:
        page, shot = pathlib.Path(folder, "page.html"), pathlib.Path(folder, "shot.png")
        page.write_text(f'<body style="margin:0;background:transparent">{svg}')
        command = [chromium, "--no-sandbox", "--headless=new", "--hide-scrollbars", "--default-background-color=00000000"]
        command += [f"--window-size={size[0]},{size[1]}", f"--screenshot={shot}", page.as_uri()]
        subprocess.run(command, check=True, capture_output=True)
        return Image.open(shot).convert("RGBA")


def pictures(chromium):
    for name, scene in SCENES.items():
        image = shoot(chromium, scene(), (960, 600)).convert("RGB")
        place = SITE / "pictures"
        if name in WIDE:
            small = image.resize((480, 300), Image.LANCZOS)
            image.save(place / f"{name}-960.webp", quality=48, method=6)
            small.save(place / f"{name}-480.webp", quality=48, method=6)
            small.save(place / f"{name}-480.jpg", quality=42, optimize=True, progressive=True)
            continue
        middle = image.resize((512, 320), Image.LANCZOS)
        match FORMATS.get(name, "jpg"):
            case "png":
                middle.quantize(24, dither=Image.Dither.NONE).save(place / f"{name}.png", optimize=True)
            case "webp":
                middle.save(place / f"{name}.webp", quality=48, method=6)
            case _:
                middle.save(place / f"{name}.jpg", quality=42, optimize=True, progressive=True)


def icons(chromium):
    lantern = (SITE / "assets" / "lantern.svg").read_text()
    large = shoot(chromium, lantern.replace("<svg ", '<svg width="180" height="180" ', 1), (180, 180))
    paper = Image.new("RGBA", large.size, "#fbf8f2")
    paper.alpha_composite(large)
    paper.convert("RGB").quantize(32).save(SITE / "assets" / "icon-180.png", optimize=True)
    large.resize((32, 32), Image.LANCZOS).save(SITE / "favicon.ico", sizes=[(32, 32)])


def old_site():
    """The lamp that blinks and the paper behind it, as one had them in 1998."""
    frames = []
    for glow in ("#ffcc00", "#ffee88", "#ffcc00", "#aa7700"):
        frame = Image.new("P", (32, 32), 0)
        draw = ImageDraw.Draw(frame)
        frame.putpalette([0, 0, 102, 136, 136, 136, *bytes.fromhex(glow[1:])])
        draw.rectangle((11, 2, 20, 5), fill=1)
        draw.polygon([(8, 8), (23, 8), (21, 25), (10, 25)], fill=2)
        draw.rectangle((9, 26, 22, 29), fill=1)
        frames.append(frame)
    frames[0].save(SITE / "old" / "lamp.gif", save_all=True, append_images=frames[1:], duration=220, loop=0)
    back = Image.new("P", (24, 24), 0)
    back.putpalette([255, 255, 224, 250, 244, 200])
    for x in range(0, 24, 6):
        ImageDraw.Draw(back).line((x, 0, x, 23), fill=1)
    back.save(SITE / "old" / "back.gif")


def video():
    """Twenty-four years in eight seconds: silt in summer, the fine dark stuff in winter, one pair upon another."""
    width, height, frames, years = 640, 360, 200, 24
    dice = random.Random(4112)
    grains = [(dice.uniform(0, width), dice.uniform(0, 1), dice.uniform(0.6, 1.6)) for _ in range(70)]
    shades = [(dice.randrange(-9, 9), dice.uniform(3.2, 6.4)) for _ in range(years)]
    water = Image.new("RGB", (1, height))
    for y in range(height):
        part = y / height
        water.putpixel((0, y), (int(46 - 28 * part), int(128 - 66 * part), int(142 - 66 * part)))
    water = water.resize((width, height))
    with tempfile.TemporaryDirectory() as folder:
        for number in range(frames):
            at = number / frames * years
            year, part = int(at), at - int(at)
            image = water.copy()
            draw = ImageDraw.Draw(image)
            floor = height
            for index in range(year + 1):
                tone, thick = shades[index]
                done = 1 if index < year else part
                for share, colour, bounds in ((min(1, done * 2), (200, 182, 142), thick * 1.6), (max(0, done * 2 - 1), (72, 62, 52), thick * 0.8)):
                    top = floor - bounds * share
                    draw.rectangle((0, round(top), width, round(floor)), fill=tuple(c + tone for c in colour))
                    floor = top
            is_summer = part < 0.5
            for x, start, speed in grains:
                y = (start + number * speed / 90) % 1 * floor
                size = 2 if is_summer else 1
                fill = (214, 196, 152) if is_summer else (60, 74, 74)
                draw.ellipse((x - size, y - size, x + size, y + size), fill=fill)
            sky = (236, 204, 150) if is_summer else (226, 236, 240)
            draw.rectangle((0, 0, width, 26), fill=sky)
            if not is_summer:
                draw.rectangle((0, 26, width, 33), fill=(240, 247, 249))
            else:
                draw.ellipse((548, -8, 588, 32), fill=(250, 232, 170))
            if number == 120:
                image.resize((480, 270), Image.LANCZOS).save(SITE / "media" / "layers.jpg", quality=38, optimize=True)
            image.save(f"{folder}/{number:04}.png")
        command = ["ffmpeg", "-y", "-loglevel", "error", "-framerate", "25", "-i", f"{folder}/%04d.png", "-c:v", "libvpx-vp9"]
        command += ["-b:v", "0", "-crf", "44", "-pix_fmt", "yuv420p", "-g", "100", "-row-mt", "1", "-threads", "2"]
        command += ["-fflags", "+bitexact", "-flags:v", "+bitexact", str(SITE / "media" / "layers.webm")]
        subprocess.run(command, check=True)


if __name__ == "__main__":
    for folder in ("pictures", "media", "old", "assets"):
        (SITE / folder).mkdir(exist_ok=True)
    pictures(sys.argv[1])
    icons(sys.argv[1])
    old_site()
    video()
