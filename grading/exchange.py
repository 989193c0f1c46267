"""Collecting: nbgrader's exchange and zip_collect, which here believe nothing that a student can write.

Whose work it is says the owner of the folder, when it was handed in the file system; what cannot be collected is named, and the
others go on.
"""

import os
import shutil
import stat
import tarfile
import zipfile
from datetime import UTC, datetime
from pathlib import Path

from nbgrader.exchange.default import ExchangeCollect
from nbgrader.plugins import ExtractorPlugin, FileNameCollectorPlugin

from grading import bounded
from grading.collect import DEPTH, FILES, IDENTITY, LARGEST, STAMP, Unreadable, read_file

SECONDS = 60  # to unpack one archive
MEMBERS, RATIO = (
    5_000,
    20,
)  # files in an archive, and how many times its own size they may have; LARGEST is always allowed


class Collect(ExchangeCollect):
    """Takes a folder only from its owner, at the hour of the last change that the file system saw in it."""

    def init_src(self):
        self.refused = []
        super().init_src()
        self.src_records = [record for record in self.src_records if record["username"]]

    def _path_to_record(self, path):
        name = os.path.basename(path)
        student = name.split(f"+{self.coursedir.assignment_id}+")[0]
        try:
            _, owner, changed = snapshot(path, contents=False)
            if owner != student:
                raise Unreadable(f"handed in for {student!r}, but it belongs to {owner!r}")
        except (Unreadable, OSError) as reason:
            self._refuse(name, reason)
            return {"username": "", "timestamp": datetime.min}
        return {"username": student, "filename": name, "timestamp": changed}

    def copy_files(self):
        for record in self.src_records:
            student, stamp = record["username"], record["timestamp"]
            folder = self.coursedir.format_path(
                self.coursedir.submitted_directory, student, self.coursedir.assignment_id
            )
            known = self.coursedir.get_existing_timestamp(folder)
            newer = self.update and (known is None or stamp > known) or self.before_duedate and stamp != known
            if os.path.isdir(folder) and not newer:
                self.log.info("nothing newer of %s", student)
                continue
            try:
                files, _, stamp = snapshot(os.path.join(self.inbound_path, record["filename"]))
                put(files | {STAMP: f"{stamp} UTC".encode()}, Path(folder), self.coursedir.groupshared)
            except (Unreadable, OSError) as error:
                self._refuse(record["filename"], error)
        if self.refused:
            self.fail(f"{len(self.refused)} not collected: {'; '.join(self.refused)}")

    def _refuse(self, name, reason):
        self.refused.append(f"{name!r}: {reason}")
        self.log.error(self.refused[-1])


def snapshot(path, contents=True):
    """The files of a folder (relative path → bytes), its owner, and when anything in it was last changed, in UTC.

    No link is followed, whatever is changed meanwhile, and all files must belong to the owner of the folder.
    """
    import pwd  # not on Windows

    files, left, changed, count = {}, LARGEST, 0.0, 0
    folders = [("", os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW))]
    owner = os.fstat(folders[0][1]).st_uid
    try:
        while folders:
            place, folder = folders.pop()
            try:
                changed = max(changed, os.fstat(folder).st_ctime)
                for entry in sorted(os.scandir(folder), key=lambda entry: entry.name):
                    name = os.path.join(place, entry.name)
                    count += 1
                    if count > FILES or name.count("/") > DEPTH:
                        raise Unreadable(f"more than {FILES} files and folders, or more than {DEPTH} folders deep")
                    if entry.is_dir(follow_symlinks=False):
                        flags = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW
                        folders.append((name, os.open(entry.name, flags, dir_fd=folder)))
                        continue
                    info = entry.stat(follow_symlinks=False)
                    changed = max(changed, info.st_ctime)
                    if info.st_uid != owner:
                        raise Unreadable("it holds files of somebody else")
                    if contents and stat.S_ISREG(info.st_mode) and entry.name != STAMP:
                        files[name] = read_file(entry.name, left, folder)
                        left -= len(files[name])
            finally:
                os.close(folder)
    finally:
        for _, folder in folders:
            os.close(folder)
    try:
        owner = pwd.getpwuid(owner).pw_name
    except KeyError:
        owner = f"number {owner}"
    return files, owner, datetime.fromtimestamp(changed, UTC).replace(tzinfo=None)


def put(files, folder, shared):
    """All files or none: what was there before stays until the new folder is complete."""
    fresh = folder.with_name(f".{folder.name}")
    shutil.rmtree(fresh, ignore_errors=True)
    for name, raw in files.items():
        (fresh / name).parent.mkdir(parents=True, exist_ok=True)
        (fresh / name).write_bytes(raw)
    for path in [fresh, *fresh.rglob("*")] if shared else []:
        path.chmod(path.stat().st_mode | (0o2070 if path.is_dir() else 0o060))
    if folder.is_dir():
        shutil.rmtree(folder)
    fresh.rename(folder)


class Archives(ExtractorPlugin):
    """nbgrader's extractor, archive by archive, within bounds: one that cannot be unpacked is named and left out."""

    def extract(self, archive_path, extracted_path):
        for path in sorted(Path(archive_path).rglob("*")):
            place = Path(extracted_path) / path.relative_to(archive_path)
            if path.is_file() and not path.is_symlink():
                place.parent.mkdir(parents=True, exist_ok=True)
                self._take(path, place, nested=2)

    def _take(self, path, place, nested):
        """Put a file in its place, or in the place of an archive a folder with what is in it."""
        if path.suffix not in self.zip_ext or not nested:
            return path == place or shutil.copy(path, place)
        folder = place.with_name(place.stem.removesuffix(".tar"))
        try:
            names = bounded.call(unpack, path, folder, seconds=SECONDS)
        except (bounded.Exceeded, RuntimeError) as reason:
            shutil.rmtree(folder, ignore_errors=True)
            return self.log.error("%s is left out: %s", path, reason)
        for inner in map(Path, names):
            if inner.suffix in self.zip_ext:
                self._take(inner, inner, nested - 1)


def unpack(archive, folder):
    """The ordinary files of a zip or tar archive; returns where they are. No hour of a student's own making is taken."""
    left, names = max(LARGEST, RATIO * archive.stat().st_size), []
    zipped = zipfile.is_zipfile(archive)
    with zipfile.ZipFile(archive) if zipped else tarfile.open(archive) as source:
        for number, member in enumerate(source.infolist() if zipped else source):
            name = Path(member.filename if zipped else member.name)
            if number >= MEMBERS:
                raise ValueError(f"more than {MEMBERS} files")
            if name.is_absolute() or ".." in name.parts:
                raise ValueError("a name that leads out of it")
            if (member.is_dir() if zipped else not member.isreg()) or name.name == STAMP:
                continue
            data = source.open(member) if zipped else source.extractfile(member)
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            with data, open(folder / name, "xb") as file:
                while part := data.read(min(left + 1, 1 << 20)):
                    left -= len(part)
                    if left < 0:
                        raise ValueError("more data than an archive of this size may hold")
                    file.write(part)
            names.append(str(folder / name))
    return names


class OwnFiles(FileNameCollectorPlugin):
    """nbgrader's collector; a name that is no id, or a second file of the same name, is left out and stops nobody."""

    def collect(self, submitted_file):
        found, seen = super().collect(submitted_file), self.__dict__.setdefault("seen", set())
        if not found:
            return None
        known = found["student_id"], found["file_id"]
        if not IDENTITY.fullmatch(found["student_id"]) or known in seen and not found.get("timestamp"):
            return self.log.error("%s is left out: no id, or twice the same name", submitted_file)
        seen.add(known)
        return found
