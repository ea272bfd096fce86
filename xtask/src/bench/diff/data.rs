//! What is compared: generated, the same every time, in the folder of the bench.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::places;
use crate::step::Step;

/// Texts, programs and documents with their versions. A document is made as the usual programs make them: an ODT is a zip of
/// XML, a PDF has packed streams and a table of places at its end, so a small change moves and changes much.
const MAKE: &str = r"
import io, os, random, struct, sys, zipfile, zlib
folder = sys.argv[1]
random.seed(6)
words = [''.join(random.choice('abcdefghijklmnopqrstuvwxyz') for _ in range(random.randint(2, 9))) for _ in range(3000)]
def put(name, data):
    data = data.encode() if isinstance(data, str) else bytes(data)
    open(os.path.join(folder, name), 'wb').write(data)
def line(): return ' '.join(random.choices(words, k=random.randint(3, 12)))
def lines(count): return [line() for _ in range(count)]
def changed(old, count):
    new = list(old)
    for _ in range(count):
        at, what = random.randrange(len(new)), random.random()
        if what < .4: new[at] = line()
        elif what < .7: del new[at]
        else: new.insert(at, line())
    return new

# Texts of 100,000 lines, and pairs that are as bad as can be.
old = lines(100000)
put('lines.old', '\n'.join(old) + '\n')
put('lines.new', '\n'.join(changed(old, 5000)) + '\n')
for side in ['old', 'new']:
    put('unrelated.' + side, ('\n'.join(lines(205000)) + '\n')[:10000000])
    put('few-kinds.' + side, ''.join(random.choices('abcdefgh', k=5000000)).replace('', '\n')[1:])
    put('one-line.' + side, ' '.join(random.choices(words, k=1600000))[:10000000])

# Similar files of 5 MB.
text = ('\n'.join(old) + '\n')[:5000000]
put('text.old', text)
put('text.new', '\n'.join(changed(text.split('\n'), 5000)))
edited = bytearray(text.encode())
for _ in range(300):
    at = random.randrange(len(edited))
    edited[at:at + 8] = b'changed%d' % random.randrange(1000)
put('edited.old', text)
put('edited.new', edited)
packed = bytearray(random.randbytes(5000000))
put('packed.old', packed)
for _ in range(40):
    at = random.randrange(len(packed))
    packed[at:at + random.randint(0, 3000)] = random.randbytes(random.randint(0, 3000))
put('packed.new', packed)

# A program: instructions from a small stock, with calls to functions whose places move when something is put in.
stock = [random.randbytes(random.randint(1, 7)) for _ in range(600)]
bodies = [[random.choice(stock) if random.random() < .9 else random.randrange(25000) for _ in range(random.randint(10, 80))] for _ in range(25000)]
def linked(bodies):
    places, at = [], 0
    for body in bodies:
        places.append(at)
        at += sum(5 if isinstance(part, int) else len(part) for part in body)
    out = bytearray()
    for body in bodies:
        for part in body:
            if isinstance(part, int):
                out += b'\xe8' + struct.pack('<i', places[part] - len(out) - 5)
            else:
                out += part
    return bytes(out)[:5000000]
put('program.old', linked(bodies))
for _ in range(250):
    body = random.choice(bodies)
    for _ in range(random.randint(1, 10)):
        body.insert(random.randrange(len(body)), random.choice(stock))
put('program.new', linked(bodies))

# Documents and their versions, as in the source's chapter 2.2.3.
def paragraph(): return ' '.join(line() for _ in range(random.randint(5, 20))).capitalize() + '.'
def odt(paragraphs, pictures):
    xml = '<?xml version=\'1.0\'?><office:document-content>' + ''.join(f'<text:p text:style-name=\'P{i % 5}\'>{p}</text:p>' for i, p in enumerate(paragraphs)) + '</office:document-content>'
    out = io.BytesIO()
    with zipfile.ZipFile(out, 'w') as file:
        def entry(name, data, method):
            info = zipfile.ZipInfo(name, (2012, 6, 1, 12, 0, 0))
            info.compress_type = method
            file.writestr(info, data)
        entry('mimetype', 'application/vnd.oasis.opendocument.text', zipfile.ZIP_STORED)
        for number, picture in enumerate(pictures):
            entry(f'Pictures/{number}.png', picture, zipfile.ZIP_STORED)
        entry('content.xml', xml, zipfile.ZIP_DEFLATED)
        entry('styles.xml', '<style/>' * 400, zipfile.ZIP_DEFLATED)
        entry('meta.xml', f'<meta>{len(xml)}</meta>', zipfile.ZIP_DEFLATED)
    return out.getvalue()
def pdf(paragraphs, pictures):
    out, places = bytearray(b'%PDF-1.4\n'), []
    def entry(head, data):
        places.append(len(out))
        out.extend(f'{len(places)} 0 obj\n<<{head} /Length {len(data)}>>\nstream\n'.encode() + data + b'\nendstream\nendobj\n')
    for picture in pictures:
        entry('/Subtype /Image /Filter /DCTDecode', picture)
    entry('/FontFile', fonts)
    for start in range(0, len(paragraphs), 5):
        page = 'BT /F1 11 Tf ' + ' '.join(f'({p}) Tj T*' for p in paragraphs[start:start + 5]) + ' ET'
        entry('/Filter /FlateDecode', zlib.compress(page.encode()))
    table = len(out)
    out.extend(f'xref\n0 {len(places) + 1}\n'.encode() + b''.join(b'%010d 00000 n \n' % place for place in places))
    out.extend(f'trailer <</Size {len(places) + 1}>>\nstartxref\n{table}\n%%EOF\n'.encode())
    return bytes(out)
fonts = random.randbytes(40000)
def versions(name, count, paragraphs, pictures):
    for version in range(count):
        put(f'{name}-{version}.odt', odt(paragraphs, pictures))
        put(f'{name}-{version}.pdf', pdf(paragraphs, pictures))
        paragraphs = list(paragraphs)
        for _ in range(3):
            at, what = random.randrange(len(paragraphs)), random.random()
            if what < .5: paragraphs[at] = paragraphs[at].replace(' ', ' really ', 1)
            elif what < .75: paragraphs.insert(at, paragraph())
            else: del paragraphs[at]
versions('lorem', 8, [paragraph() for _ in range(100)], [])
versions('thesis', 5, [paragraph() for _ in range(400)], [random.randbytes(random.randint(5000, 60000)) for _ in range(12)])
for number in range(8):
    fonts = random.randbytes(random.randint(20000, 80000))
    parts = [paragraph() for _ in range(random.randint(100, 500))], [random.randbytes(random.randint(5000, 90000)) for _ in range(random.randint(0, 8))]
    put(f'unrelated-{number}.odt', odt(*parts))
    put(f'unrelated-{number}.pdf', pdf(*parts))
";

/// The folder with the files, made if it is not there yet.
pub(super) fn folder(python: &Path) -> anyhow::Result<PathBuf> {
    let folder = places::target().join("bench").join("diff");
    if folder.exists() {
        return Ok(folder);
    }
    let part = folder.with_extension("part");
    if part.exists() {
        fs::remove_dir_all(&part).with_context(|| format!("cannot remove `{}`", part.display()))?;
    }
    fs::create_dir_all(&part).with_context(|| format!("cannot make `{}`", part.display()))?;
    Step::new("documents", python).args(["-c", MAKE]).args([&part]).run()?;
    fs::rename(&part, &folder).with_context(|| format!("cannot name `{}`", folder.display()))?;
    Ok(folder)
}
