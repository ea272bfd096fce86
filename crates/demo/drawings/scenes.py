"""The scenes of the paper's pictures, each a function from nothing to an SVG of 960 by 600. Dice have a fixed seed."""

import math
import random

W, H = 960, 600


def svg(body, defs=""):
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {W} {H}" width="{W}" height="{H}">'
        f"<defs>{defs}"
        '<filter id="soft"><feGaussianBlur stdDeviation="3"/></filter>'
        '<filter id="mist" x="-20%" y="-50%" width="140%" height="200%"><feGaussianBlur stdDeviation="14"/></filter>'
        '<filter id="glow" x="-100%" y="-100%" width="300%" height="300%"><feGaussianBlur stdDeviation="22"/></filter>'
        f"</defs>{body}</svg>"
    )


def fade(name, *stops, across=False):
    end = 'x2="1" y2="0"' if across else 'x2="0" y2="1"'
    inner = "".join(f'<stop offset="{at}" stop-color="{colour}"/>' for at, colour in stops)
    return f'<linearGradient id="{name}" x1="0" y1="0" {end}>{inner}</linearGradient>'


def hills(seed, base, height, colour, rough=1.0):
    dice = random.Random(seed)
    waves = [(dice.uniform(0.002, 0.02) * rough, dice.uniform(0, 7), dice.uniform(0.2, 1)) for _ in range(5)]
    total = sum(w for _, _, w in waves)
    points = []
    for x in range(0, W + 1, 12):
        lift = sum(math.sin(x * f + p) * w for f, p, w in waves) / total
        points.append(f"{x},{base - height * (0.5 + 0.5 * lift):.0f}")
    return f'<polygon fill="{colour}" points="0,{H} {" ".join(points)} {W},{H}"/>'


def ripples(seed, top, bottom, colours, count, longest=120, opacity=0.5):
    dice = random.Random(seed)
    out = []
    for _ in range(count):
        depth = dice.random() ** 1.4
        y = top + (bottom - top) * depth
        length = 12 + longest * depth * dice.uniform(0.3, 1)
        x = dice.uniform(-40, W)
        out.append(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{length:.0f}" height="{1 + 3 * depth:.1f}" rx="2" '
            f'fill="{dice.choice(colours)}" opacity="{opacity * dice.uniform(0.4, 1):.2f}"/>'
        )
    return "".join(out)


def bare_tree(dice, x, y, length, angle, width, colour, depth=6):
    if depth == 0 or length < 4:
        return ""
    x2, y2 = x + length * math.cos(angle), y - length * math.sin(angle)
    out = (
        f'<path d="M{x:.1f} {y:.1f}L{x2:.1f} {y2:.1f}" stroke="{colour}" stroke-width="{width:.1f}" '
        'stroke-linecap="round"/>'
    )
    for turn in (dice.uniform(0.2, 0.6), -dice.uniform(0.2, 0.6)):
        out += bare_tree(dice, x2, y2, length * dice.uniform(0.62, 0.8), angle + turn, width * 0.66, colour, depth - 1)
    return out


def bush(seed, x, y, size, colours):
    dice = random.Random(seed)
    return "".join(
        f'<circle cx="{x + dice.gauss(0, size * 0.5):.0f}" cy="{y + dice.gauss(0, size * 0.33):.0f}" '
        f'r="{size * dice.uniform(0.2, 0.42):.0f}" fill="{dice.choice(colours)}"/>'
        for _ in range(26)
    )


def person(x, y, size, coat, legs="#2a2c33"):
    s = size
    return (
        f'<g transform="translate({x} {y})"><path d="M{-0.13*s} 0L{-0.09*s} {-0.45*s}H{0.09*s}L{0.13*s} 0" '
        f'stroke="{legs}" stroke-width="{0.1*s}" fill="none"/>'
        f'<rect x="{-0.17*s}" y="{-0.82*s}" width="{0.34*s}" height="{0.44*s}" rx="{0.12*s}" fill="{coat}"/>'
        f'<circle cy="{-0.95*s}" r="{0.12*s}" fill="#e2b596"/><path d="M{-0.13*s} {-0.96*s}a{0.13*s} {0.13*s} 0 0 1 {0.26*s} 0z" fill="#3a2c26"/></g>'
    )


def reeds(seed, left, right, base, tall, colours):
    dice = random.Random(seed)
    out = []
    for _ in range(int((right - left) / 5)):
        x, h, lean = dice.uniform(left, right), tall * dice.uniform(0.4, 1), dice.uniform(-22, 22)
        out.append(
            f'<path d="M{x:.0f} {base}Q{x + lean * 0.2:.0f} {base - h * 0.6:.0f} {x + lean:.0f} {base - h:.0f}" '
            f'stroke="{dice.choice(colours)}" stroke-width="{dice.uniform(2, 4.5):.1f}" fill="none" stroke-linecap="round"/>'
        )
        if dice.random() < 0.25:
            out.append(f'<ellipse cx="{x + lean:.0f}" cy="{base - h:.0f}" rx="4.5" ry="15" fill="#5a3a22"/>')
    return "".join(out)


def boat_ferry():
    windows = "".join(f'<rect x="{-92 + i * 31}" y="-50" width="20" height="17" rx="2" fill="#24444d"/>' for i in range(6))
    people = "".join(f'<circle cx="{x}" cy="-71" r="4.6" fill="#2d2b33"/><rect x="{x - 4.5}" y="-67" width="9" height="9" rx="3" fill="{c}"/>'
                     for x, c in [(-80, "#a33"), (-62, "#345"), (-30, "#c83"), (-16, "#345"), (62, "#575"), (78, "#a33")])
    return (
        f'{people}<path d="M-150 -26H158L134 20H-128Z" fill="#1f4d3f"/><path d="M-150 -26H158L154 -17H-146Z" fill="#f4efe2"/>'
        '<path d="M-131 14H137L134 20H-128Z" fill="#b5402c"/>'
        f'<rect x="-104" y="-58" width="196" height="32" rx="3" fill="#f7f3e9"/>{windows}'
        '<rect x="-108" y="-62" width="204" height="6" fill="#d9b36a"/>'
        '<rect x="-2" y="-98" width="52" height="36" rx="3" fill="#f7f3e9"/><rect x="3" y="-91" width="42" height="14" fill="#24444d"/>'
        '<rect x="-7" y="-102" width="62" height="5" fill="#1f4d3f"/>'
        '<path d="M24 -102V-138" stroke="#444" stroke-width="3"/><path d="M25 -137l32 8 -32 8z" fill="#f2b134"/>'
        '<circle cx="-126" cy="-12" r="8" fill="none" stroke="#f4efe2" stroke-width="4"/>'
    )


def ferry():
    defs = fade("sky", (0, "#7fa9bd"), (0.45, "#f3d9b8"), (1, "#f9b97c")) + fade("lake", (0, "#f4c795"), (0.4, "#a9b6b4"), (1, "#3f6f7c"))
    boat = boat_ferry()
    glitter = "".join(
        f'<rect x="{690 - w / 2 + dx:.0f}" y="{y}" width="{w:.0f}" height="3.4" rx="2" fill="#ffe7b5" opacity="{0.9 - (y - 350) / 330:.2f}"/>'
        for y, w, dx in ((y, random.Random(y).uniform(20, 40 + (y - 350) * 0.5), random.Random(y + 1).uniform(-16, 16)) for y in range(352, 590, 9))
    )
    return svg(
        '<rect width="960" height="360" fill="url(#sky)"/><circle cx="690" cy="268" r="90" fill="#fff1cf" filter="url(#glow)" opacity=".9"/>'
        '<circle cx="690" cy="268" r="38" fill="#fff6e0"/>'
        + hills(4, 330, 190, "#c9b7a6") + hills(9, 338, 130, "#a3a29b") + hills(2, 345, 84, "#7d8c8a", 1.6)
        + '<rect y="345" width="960" height="255" fill="url(#lake)"/>' + glitter
        + '<g filter="url(#mist)" fill="#fff6e8"><ellipse cx="180" cy="350" rx="300" ry="18" opacity=".85"/><ellipse cx="760" cy="356" rx="320" ry="14" opacity=".7"/></g>'
        + ripples(5, 380, 600, ["#f7d7ad", "#2f5f6d", "#5d8790"], 120)
        + f'<g transform="translate(370 432) scale(1.25 -.8)" opacity=".35" filter="url(#soft)">{boat}</g>'
        + f'<g transform="translate(370 408) scale(1.25)">{boat}</g>'
        + '<path d="M160 436q-60 10 -130 12M560 436q70 12 160 14" stroke="#fbead0" stroke-width="4" fill="none" opacity=".7"/>'
        + '<g fill="none" stroke="#4c5a5e" stroke-width="3" stroke-linecap="round"><path d="M140 120q10 -10 18 0q8 -10 18 0"/><path d="M200 92q8 -8 14 0q6 -8 14 0"/><path d="M238 130q8 -8 14 0q6 -8 14 0"/></g>'
        + '<g filter="url(#mist)" fill="#fff3df" opacity=".55"><ellipse cx="120" cy="470" rx="260" ry="12"/><ellipse cx="860" cy="500" rx="220" ry="12"/></g>',
        defs,
    )


def house(x, width, top, colour, roof, lit, seed, base=392):
    dice = random.Random(seed)
    gable = f'<polygon points="{x - 4},{top} {x + width / 2},{top - width * 0.62:.0f} {x + width + 4},{top}" fill="{roof}"/>'
    out = [f'<rect x="{x}" y="{top}" width="{width}" height="{base - top}" fill="{colour}"/>', gable]
    columns = 2 if width < 110 else 3
    step = width / columns
    for row, y in enumerate(range(top + 18, base - 70, 56)):
        for column in range(columns):
            glow = "#ffd98a" if dice.random() < lit else "#3c4c58"
            out.append(f'<rect x="{x + step * column + step * 0.27:.0f}" y="{y}" width="{step * 0.46:.0f}" height="34" fill="{glow}" stroke="#f4efe4" stroke-width="3"/>')
    out.append(f'<rect x="{x + width * 0.36:.0f}" y="{base - 52}" width="{width * 0.28:.0f}" height="52" fill="#3b2c28"/>')
    return "".join(out)


def flood():
    defs = fade("sky", (0, "#4b5f77"), (0.6, "#8b97a4"), (1, "#d9b79a")) + fade("lake", (0, "#6d7c86"), (1, "#27404c"))
    colours = ["#c98f6b", "#d9cdb4", "#8fa39a", "#b9695a", "#d8b56d", "#9aa7b8", "#c9b7a2", "#a98d7d"]
    x, row = -30, ""
    dice = random.Random(8)
    for number, colour in enumerate(colours):
        width = dice.choice([118, 132, 146, 104])
        row += house(x, width, dice.randrange(170, 235, 8), colour, dice.choice(["#5b3b36", "#4a4550", "#6b463a"]), 0.5, number)
        x += width + 3
    lamp = lambda x: f'<circle cx="{x}" cy="238" r="36" fill="#ffdf9a" opacity=".55" filter="url(#glow)"/><path d="M{x} 392V252" stroke="#22282c" stroke-width="6"/><path d="M{x-9} 228h18l-4 24h-10z" fill="#ffedc0"/><path d="M{x-11} 228h22l-11 -11z" fill="#22282c"/>'
    boat = ('<path d="M-92 -12Q0 6 92 -12L70 18H-70Z" fill="#7b4a2d"/><path d="M-92 -12Q0 6 92 -12" stroke="#d9a86a" stroke-width="5" fill="none"/>'
            + person(-22, 2, 62, "#c23f2e") + person(36, 2, 58, "#f2b134") + '<path d="M-10 -22L-82 24" stroke="#d9c08a" stroke-width="5" stroke-linecap="round"/>')
    return svg(
        '<rect width="960" height="600" fill="url(#sky)"/>' + row + lamp(236) + lamp(726)
        + '<rect y="384" width="960" height="216" fill="url(#lake)"/>'
        + f'<g transform="translate(0 768) scale(1 -1)" opacity=".42" filter="url(#soft)"><clipPath id="half"><rect y="150" width="960" height="234"/></clipPath><g clip-path="url(#half)">{row}</g></g>'
        + ripples(3, 392, 600, ["#ffe0a6", "#24404b", "#9fb0b6"], 130, 150, 0.45)
        + f'<g transform="translate(500 500) scale(1.25)">{boat}</g>'
        + '<g fill="#b7a27a">' + "".join(f'<rect x="{40 + i * 44 + (j % 2) * 22}" y="{380 - j * 15}" width="42" height="15" rx="7" stroke="#8c7853" stroke-width="2"/>' for j in range(2) for i in range(3)) + "</g>",
        defs,
    )


def bridge(stone, shade, water, deck=300):
    arches = ""
    for centre in (190, 480, 770):
        arches += f'<path d="M{centre - 112} 470V418a112 92 0 0 1 224 0V470Z" fill="{water}"/><path d="M{centre - 112} 418a112 92 0 0 1 224 0" fill="none" stroke="{shade}" stroke-width="12" stroke-dasharray="22 4"/>'
    dice = random.Random(11)
    stones = "".join(
        f'<rect x="{x + dice.uniform(-8, 8):.0f}" y="{y}" width="{dice.uniform(20, 38):.0f}" height="9" rx="2" fill="{shade}" opacity="{dice.uniform(.15, .5):.2f}"/>'
        for y in range(deck + 14, 410, 15) for x in range(0, 960, 56)
    )
    piers = "".join(f'<path d="M{x - 30} 480V380l30 -22 30 22v100z" fill="{stone}" stroke="{shade}" stroke-width="3"/>' for x in (335, 625))
    return (
        f'<path d="M0 {deck + 10}Q480 {deck - 44} 960 {deck + 10}V470H0Z" fill="{stone}"/>{stones}{arches}{piers}'
        f'<path d="M0 {deck + 10}Q480 {deck - 44} 960 {deck + 10}" fill="none" stroke="{shade}" stroke-width="14"/>'
        f'<path d="M0 {deck - 4}Q480 {deck - 58} 960 {deck - 4}" fill="none" stroke="{stone}" stroke-width="18"/>'
    )


def bridge_open():
    defs = fade("sky", (0, "#86b3cf"), (0.6, "#f6dcae"), (1, "#ffc78a")) + fade("lake", (0, "#c9a878"), (1, "#3c5e63"))
    span = bridge("#c7a988", "#9b7d60", "#d8b98c")
    crowd, dice = "", random.Random(5)
    for i in range(17):
        x = 90 + i * 50 + dice.uniform(-14, 14)
        y = 288 - 30 * (1 - ((x - 480) / 480) ** 2)
        crowd += person(round(x), round(y), dice.uniform(44, 58), dice.choice(["#b5402c", "#2f5f6d", "#e0a030", "#5a4a6a", "#6b8a4a", "#3d4650"]))
    dog = '<g transform="translate(466 262)" fill="#7a4a26"><rect x="-16" y="-16" width="30" height="11" rx="5"/><circle cx="18" cy="-19" r="7"/><path d="M-13 -8v10M-5 -8v10M5 -8v10M11 -8v10M-16 -13l-10 -9" stroke="#7a4a26" stroke-width="4"/></g>'
    return svg(
        '<rect width="960" height="600" fill="url(#sky)"/><circle cx="800" cy="170" r="110" fill="#fff0c4" filter="url(#glow)"/><circle cx="800" cy="170" r="36" fill="#fff8e4"/>'
        + hills(21, 330, 150, "#b9ad8c") + bush(1, 70, 250, 120, ["#c9742c", "#d9962f", "#a8552a"]) + bush(2, 900, 240, 130, ["#d9a12f", "#b8622a", "#c98a2e"])
        + crowd + dog + span
        + '<rect y="462" width="960" height="138" fill="url(#lake)"/>'
        + f'<g transform="translate(0 930) scale(1 -1)" opacity=".35" filter="url(#soft)"><clipPath id="below"><rect y="330" width="960" height="138"/></clipPath><g clip-path="url(#below)">{span}</g></g>'
        + ripples(7, 466, 600, ["#ffe6b0", "#2f5058", "#f3cf93"], 110)
        + '<g fill="#fdfaf2">' + "".join(f'<g transform="translate({x} {y}) scale({s})"><path d="M-30 0Q-34 -22 0 -20Q26 -20 34 -30Q30 6 0 6Q-24 8 -30 0Z"/><path d="M-26 -4Q-40 -30 -26 -44Q-18 -50 -12 -44" fill="none" stroke="#fdfaf2" stroke-width="7" stroke-linecap="round"/><path d="M-13 -46l10 4 -9 3z" fill="#e07b2c"/></g>' for x, y, s in ((470, 540, 1), (545, 552, .8), (600, 545, .45), (630, 555, .45))) + "</g>",
        defs,
    )


def bridge_works():
    defs = fade("sky", (0, "#9fb0bb"), (1, "#dfe1dc")) + fade("lake", (0, "#8d9a98"), (1, "#4b6066"))
    poles = "".join(f'<path d="M{x} 250V470" stroke="#d8a23a" stroke-width="5"/>' for x in range(350, 640, 36))
    planks = "".join(f'<path d="M340 {y}H630" stroke="#8a6a3a" stroke-width="7"/>' for y in (290, 345, 400, 452))
    braces = "".join(f'<path d="M{x} {y}l36 -54" stroke="#d8a23a" stroke-width="3"/>' for y in (345, 400, 452) for x in (350, 458, 566))
    lattice = "".join(f'<path d="M{760} {y}l28 -22l-28 -22" stroke="#c8452e" stroke-width="3" fill="none"/>' for y in range(330, 110, -44))
    return svg(
        '<rect width="960" height="600" fill="url(#sky)"/>' + hills(21, 330, 150, "#a9b1a4") + bush(2, 900, 250, 120, ["#7d8f5c", "#8fa066", "#6d7f52"])
        + bridge("#b3aba0", "#8b8378", "#9aa5a3")
        + '<rect y="462" width="960" height="138" fill="url(#lake)"/>' + ripples(7, 466, 600, ["#c3cdcb", "#3b5056"], 90)
        + poles + planks + braces
        + f'<path d="M760 330V70M788 330V70" stroke="#c8452e" stroke-width="7"/>{lattice}<path d="M420 84H900M420 84L774 44L900 84" stroke="#c8452e" stroke-width="7" fill="none"/><rect x="846" y="84" width="52" height="34" fill="#555"/><rect x="750" y="90" width="50" height="40" fill="#f2b134"/><path d="M480 86V220" stroke="#333" stroke-width="3"/><rect x="452" y="220" width="56" height="26" fill="#777"/><path d="M452 222l28 -20 28 20" fill="none" stroke="#333" stroke-width="3"/>'
        + person(414, 286, 40, "#e8742c") + person(560, 341, 40, "#e8c22c") + person(520, 286, 40, "#e8742c"),
        defs,
    )


def core():
    dice = random.Random(1784)
    layers, x = "", 60
    while x < 900:
        pale, dark = dice.uniform(5, 13), dice.uniform(3, 6)
        if 430 < x < 445:
            pale = 38
        tone = dice.randrange(-10, 10)
        layers += f'<rect x="{x:.0f}" y="190" width="{pale:.0f}" height="200" fill="rgb({198 + tone},{180 + tone},{140 + tone})"/>'
        x += round(pale)
        layers += f'<rect x="{x:.0f}" y="190" width="{dark:.0f}" height="200" fill="rgb({74 + tone},{62 + tone},{50 + tone})"/>'
        x += round(dark)
    ticks = "".join(f'<rect x="{60 + i * 14}" y="452" width="2" height="{28 if i % 10 == 0 else 18 if i % 5 == 0 else 10}" fill="#222"/>' for i in range(61))
    digits = "".join(f'<text x="{64 + i * 140}" y="506" font-family="Liberation Sans, Arial" font-size="20" fill="#222">{i * 10}</text>' for i in range(6))
    return svg(
        '<rect width="960" height="600" fill="#2f5a63"/><rect x="0" y="520" width="960" height="80" fill="#264a52"/>'
        '<rect x="40" y="170" width="890" height="240" rx="26" fill="#dfe6e4"/>' + f'<clipPath id="tube"><rect x="52" y="182" width="860" height="216" rx="18"/></clipPath><g clip-path="url(#tube)"><rect x="40" y="180" width="890" height="220" fill="#5d4f40"/>{layers}<rect x="40" y="180" width="890" height="26" fill="#fff" opacity=".14"/><rect x="40" y="368" width="890" height="34" fill="#000" opacity=".18"/></g>'
        + f'<rect x="46" y="448" width="880" height="66" fill="#f2e6c4"/>{ticks}{digits}<text x="880" y="506" font-family="Liberation Sans, Arial" font-size="20" fill="#222">cm</text>'
        + '<rect x="430" y="60" width="170" height="62" fill="#fffdf4"/><path d="M470 122L450 180" stroke="#fffdf4" stroke-width="3"/><text x="446" y="100" font-family="Liberation Serif, Georgia" font-style="italic" font-size="28" fill="#333">flood, 1784</text>'
    )


def fell():
    defs = fade("sky", (0, "#6fa0c2"), (1, "#eef1ea")) + fade("lake", (0, "#cfe0e2"), (1, "#7fa6b0"))
    dice = random.Random(31)
    trees = ""
    for x, y, l in ((90, 560, 118), (210, 590, 92), (830, 580, 128), (930, 600, 100), (690, 610, 70)):
        trees += bare_tree(dice, x, y, l, math.pi / 2 + dice.uniform(-0.08, 0.08), l / 9, "#efe9df")
    cairn = "".join(f'<ellipse cx="{470 + dx}" cy="{y}" rx="{r}" ry="{r * 0.5:.0f}" fill="{c}"/>' for dx, y, r, c in ((0, 470, 52, "#6e6a63"), (-6, 444, 40, "#85817a"), (4, 422, 30, "#777169"), (0, 404, 21, "#918c84"), (1, 389, 12, "#7b766f")))
    sheep = "".join(f'<g transform="translate({x} {y}) scale({s})"><ellipse rx="22" ry="15" fill="#f4f0e6"/><circle cx="22" cy="-6" r="8" fill="#333"/><path d="M-10 12v12M8 12v12" stroke="#333" stroke-width="4"/></g>' for x, y, s in ((320, 470, .8), (620, 500, 1), (575, 470, .7)))
    return svg(
        '<rect width="960" height="600" fill="url(#sky)"/>' + hills(14, 250, 120, "#a9bfc8") + hills(15, 270, 70, "#8fa8ab")
        + '<path d="M120 262Q480 220 900 268Q820 330 560 344Q300 356 180 320Z" fill="url(#lake)"/>'
        + hills(17, 400, 76, "#93895a") + hills(18, 500, 90, "#a47f42", 1.3) + hills(19, 580, 80, "#7d5c32", 0.8) + cairn + sheep + f'<g fill="none">{trees}</g>',
        defs,
    )


def bank(defs_more=""):
    defs = fade("lake", (0, "#b8cfc9"), (1, "#4f7f86")) + defs_more
    return defs, (
        '<rect width="960" height="600" fill="url(#lake)"/>' + hills(41, 190, 110, "#8fae9a") + '<rect y="170" width="960" height="430" fill="url(#lake)"/>'
        + ripples(6, 180, 600, ["#e3efe9", "#3a6a72"], 130, 160, 0.5)
    )


def cormorant():
    defs, body = bank()
    return svg(
        body + '<path d="M430 600V330h56V600Z" fill="#5a4632"/><ellipse cx="458" cy="332" rx="28" ry="9" fill="#8a6d4c"/>'
        '<g fill="#1d2426"><path d="M458 330Q424 300 436 240Q440 210 462 196Q490 220 486 270Q484 310 470 332Z"/>'
        '<path d="M444 232Q380 190 300 210Q250 224 230 270Q280 262 296 282Q320 268 340 292Q366 280 382 304Q420 290 446 280Z"/>'
        '<path d="M476 232Q540 190 620 210Q670 224 690 270Q640 262 624 282Q600 268 580 292Q554 280 538 304Q500 290 474 280Z"/>'
        '<path d="M456 214Q436 170 452 140Q462 122 480 126Q496 130 492 146Q482 150 476 158Q468 186 480 214Z"/></g>'
        '<path d="M488 134L540 130L542 138L490 146Z" fill="#d9a441"/><circle cx="478" cy="138" r="4" fill="#4ec0a0"/><path d="M446 330l-10 14M470 330l10 14" stroke="#1d2426" stroke-width="7"/>'
        + reeds(3, 700, 960, 610, 260, ["#6f8a44", "#8fa255", "#556f38"]),
        defs,
    )


def heron():
    defs, body = bank()
    return svg(
        body + '<ellipse cx="430" cy="548" rx="120" ry="10" fill="#2f5860" opacity=".5"/>'
        '<path d="M420 400L412 546M452 400L462 546" stroke="#8a7440" stroke-width="8"/><path d="M412 546l-26 6M412 546l22 6M462 546l-22 6M462 546l26 6" stroke="#8a7440" stroke-width="6"/>'
        '<path d="M300 372Q340 280 440 286Q510 290 516 340Q500 400 430 412Q350 416 300 372Z" fill="#8b98a3"/>'
        '<path d="M270 396Q340 330 450 330Q420 400 340 402Q300 404 270 396Z" fill="#5d6a76"/>'
        '<path d="M500 336Q540 300 500 250Q460 200 500 150Q510 136 530 136" fill="none" stroke="#e9ecec" stroke-width="32" stroke-linecap="round"/>'
        '<path d="M512 318Q526 290 500 256" fill="none" stroke="#39424a" stroke-width="4" stroke-dasharray="10 8"/>'
        '<ellipse cx="534" cy="136" rx="32" ry="19" fill="#f2f3f1"/><path d="M508 128Q532 108 562 126L470 112Q440 104 430 112Q470 128 508 134Z" fill="#20272c"/>'
        '<path d="M560 130L664 152L560 148Z" fill="#e0a53c"/><circle cx="545" cy="132" r="5" fill="#f2b134"/><circle cx="545" cy="132" r="2.4" fill="#000"/>'
        '<path d="M498 346q4 40 -10 58M486 352q2 36 -10 52" stroke="#e9ecec" stroke-width="5" fill="none"/>'
        + reeds(3, 0, 250, 612, 330, ["#6f8a44", "#8fa255", "#556f38"]) + reeds(4, 720, 960, 612, 280, ["#6f8a44", "#8fa255", "#a9b063"]),
        defs,
    )


def lido():
    defs = fade("sky", (0, "#3d4f7a"), (0.55, "#c9839a"), (1, "#ffc48c")) + fade("pool", (0, "#7fd3d8"), (1, "#1e8fa3"))
    lights = "".join(f'<circle cx="{x}" cy="{150 + 46 * math.sin((x - 20) / 920 * math.pi * 3) ** 2:.0f}" r="6" fill="#ffe9ad"/>' for x in range(20, 960, 38))
    string = "M" + "L".join(f"{x} {150 + 46 * math.sin((x - 20) / 920 * math.pi * 3) ** 2:.0f}" for x in range(0, 961, 12))
    tower = '<path d="M700 420V200M760 420V200" stroke="#f4efe4" stroke-width="12"/>' + "".join(f'<rect x="640" y="{y}" width="130" height="12" fill="#f4efe4"/>' for y in (200, 280, 350)) + "".join(f'<path d="M706 {y}H754" stroke="#d6cfc0" stroke-width="4"/>' for y in range(222, 420, 18))
    lanes = "".join(f'<path d="M{480 + (i - 3) * 60} 430L{480 + (i - 3) * 190} 600" stroke="#e8f7f5" stroke-width="3" stroke-dasharray="14 10" opacity=".8"/>' for i in range(7))
    return svg(
        '<rect width="960" height="600" fill="url(#sky)"/>' + hills(51, 330, 120, "#5a4a6d") + '<rect y="318" width="960" height="40" fill="#c98f92"/>' + ripples(4, 320, 358, ["#ffd9a6", "#7d5f78"], 60, 80)
        + '<rect y="356" width="960" height="244" fill="#d9cbb4"/><path d="M150 420H810L960 600H0Z" fill="url(#pool)"/><path d="M150 420H810" stroke="#f7f2e6" stroke-width="8"/>' + lanes
        + ripples(14, 440, 600, ["#d9f6f2", "#ffd9a6"], 60, 120, 0.4) + tower
        + '<rect x="40" y="300" width="150" height="84" fill="#f1e6d0"/>' + "".join(f'<rect x="{50 + i * 28}" y="316" width="20" height="68" fill="{c}"/>' for i, c in enumerate(["#2f7f93", "#f2b134", "#c8452e", "#2f7f93", "#f2b134"])) + '<path d="M30 300H200L180 276H50Z" fill="#12454f"/>'
        + f'<path d="{string}" fill="none" stroke="#2a2a3a" stroke-width="2"/>{lights}' + person(706, 198, 46, "#c8352e", "#e2b596"),
        defs,
    )


def oven():
    defs = '<radialGradient id="fire" cx=".5" cy=".9" r=".9"><stop offset="0" stop-color="#fff3b0"/><stop offset=".35" stop-color="#ffb03a"/><stop offset=".75" stop-color="#c8401a"/><stop offset="1" stop-color="#3a120a"/></radialGradient><radialGradient id="dark" cx=".5" cy=".6" r=".8"><stop offset="0" stop-color="#000" stop-opacity="0"/><stop offset="1" stop-color="#000" stop-opacity=".72"/></radialGradient>'
    dice = random.Random(1911)
    bricks = "".join(f'<rect x="{x + (row % 2) * 32 - 32}" y="{row * 32}" width="60" height="28" rx="3" fill="{dice.choice(["#8a4630", "#7c3d2b", "#96513a", "#84503c"])}"/>' for row in range(15) for x in range(0, 1020, 64))
    ring = "".join(f'<rect x="-17" y="-262" width="34" height="56" rx="4" fill="{dice.choice(["#a65a3c", "#94492f", "#b06a48"])}" transform="translate(480 420) rotate({a})"/>' for a in range(-90, 91, 9))
    flames = "".join(f'<path d="M{x} 420Q{x - 24} {420 - h * .5:.0f} {x + dice.uniform(-10, 10):.0f} {420 - h:.0f}Q{x + 26} {420 - h * .5:.0f} {x + 12} 420Z" fill="{dice.choice(["#ffd75a", "#ff9d2e", "#fff0a8"])}" opacity=".85"/>' for x, h in ((dice.uniform(330, 620), dice.uniform(50, 150)) for _ in range(16)))
    loaves = "".join(f'<g transform="translate({x} 500)"><ellipse rx="76" ry="40" fill="#b8742f"/><ellipse cy="-8" rx="70" ry="31" fill="#d8964a"/><path d="M-40 -14q14 -14 22 2M-10 -22q14 -12 22 4M22 -20q14 -10 20 6" stroke="#7a4218" stroke-width="6" fill="none" stroke-linecap="round"/></g>' for x in (110, 290, 470, 650, 830))
    return svg(
        '<rect width="960" height="600" fill="#4a261b"/>' + bricks + '<path d="M275 420V410a205 205 0 0 1 410 0V420Z" fill="url(#fire)"/>' + flames + ring
        + '<rect width="960" height="600" fill="url(#dark)"/><ellipse cx="480" cy="440" rx="420" ry="60" fill="#ffb75a" opacity=".35" filter="url(#glow)"/>'
        + '<rect y="420" width="960" height="26" fill="#3b2416"/><rect y="520" width="960" height="80" fill="#6b4526"/><path d="M0 522H960" stroke="#94683c" stroke-width="6"/>' + loaves,
        defs,
    )


def regatta():
    defs = fade("lake", (0, "#2f8a92"), (1, "#1b5f6c"))
    def eight(x, y, hull, blade, shirt):
        out = f'<path d="M-330 0Q-200 -17 0 -17Q200 -17 340 0Q200 17 0 17Q-200 17 -330 0Z" fill="{hull}"/><path d="M-250 0Q0 -9 260 0Q0 9 -250 0Z" fill="#5a3d24"/>'
        for i in range(8):
            px, side = -190 + i * 52, 1 if i % 2 else -1
            out += f'<path d="M{px} {side * 6}L{px - 36} {side * 104}" stroke="#e8d8b4" stroke-width="4"/><path d="M{px - 30} {side * 88}l-14 34 l14 4 l10 -34z" fill="{blade}"/><ellipse cx="{px - 40}" cy="{side * 124}" rx="20" ry="9" fill="#d9f2ee" opacity=".8"/>'
            out += f'<ellipse cx="{px}" cy="0" rx="15" ry="12" fill="{shirt}"/><circle cx="{px - 4}" cy="0" r="7.5" fill="#e2b596"/>'
        out += f'<ellipse cx="240" cy="0" rx="12" ry="9" fill="#222"/><circle cx="243" r="6.5" fill="#e2b596"/>'
        wake = '<path d="M-330 0Q-480 -30 -620 -70M-330 0Q-480 30 -620 70" stroke="#cfeeea" stroke-width="5" fill="none" opacity=".6"/>'
        return f'<g transform="translate({x} {y}) rotate(-6)">{wake}{out}</g>'
    buoys = "".join(f'<circle cx="{x}" cy="{312 - x * 0.105:.0f}" r="8" fill="#f2802c"/>' for x in range(30, 960, 104))
    return svg('<rect width="960" height="600" fill="url(#lake)"/>' + ripples(12, 0, 600, ["#57adb0", "#154e5a", "#7cc4c2"], 210, 90, 0.5) + buoys + eight(470, 130, "#f7f3e9", "#c8352e", "#c8352e") + eight(520, 420, "#f2d27a", "#12454f", "#12454f"), defs)


SCENES = {
    "ferry": ferry, "flood": flood, "bridge-open": bridge_open, "bridge-works": bridge_works, "core": core, "fell": fell,
    "heron": cormorant, "heron.2": heron, "lido": lido, "oven": oven, "regatta": regatta,
}
