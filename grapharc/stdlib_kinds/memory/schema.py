"""The tables of a store's file, as SQL. ``op`` is the record; all that stand in ``FOLD`` are made from it."""

from __future__ import annotations

APPLICATION_ID = 0x67726163
"""``grac``: what SQLite keeps in the header of our files, so that one of something else is not taken for ours."""
SCHEMA_VERSION = 3
"""Version 1 kept no citations, and indices of whole keys; 2 all postings of a word in one place, which batches wrote
all over."""
OP_FORMAT = 1

RECORD = """
create table meta (k text primary key, v text not null) without rowid;
create table writer (id integer primary key, name text not null unique);
-- Content by its hash, of a store in memory; a store in a file keeps it in files beside it.
create table blob (sha text primary key, data blob not null) without rowid;
create table op (
    n integer primary key, writer integer not null references writer, seq integer not null, hlc integer not null,
    verb text not null, body text not null, format integer not null, prev blob not null, hash blob not null,
    unique (writer, seq)
);
create trigger op_is_not_updated before update on op
    begin select raise(abort, 'the table of operations is append-only'); end;
create trigger op_is_not_deleted before delete on op
    begin select raise(abort, 'the table of operations is append-only'); end;
"""

FOLD = {
    # rid is the number of the operation that recorded the claim; moments are microseconds since 1970. The numbers are
    # of skey, of skey and pkey, and of okey: an index of numbers is a third as large, and a batch of claims writes
    # nearly all pages of each. That of both goes up with that of skey, which claims are written in the order of.
    "claim": """create table claim (
        rid integer primary key, id text not null unique, subject text not null, predicate text not null,
        object text not null, skey text not null, pkey text not null, okey text not null, source text not null,
        run_id text, confidence real not null, observed integer not null, t_from integer not null, t_to integer,
        recorded integer not null, subject_number integer not null, about_number integer not null,
        object_number integer not null
    )""",
    # A row for each claim that is superseded: until when it holds (t_to), since when that is known (closed), and by
    # which operation.
    "closing": """create table closing (
        rid integer primary key, t_to integer not null, closed integer not null, op integer not null,
        successor text not null
    )""",
    # rid here is the number of the operation that recorded the citation, claim the row of the claim that rests on it.
    "citation": """create table citation (
        rid integer primary key, claim integer not null, quote text not null, source text not null,
        source_sha256 text not null, standing text not null, run_id text, recorded integer not null
    )""",
    "artifact": """create table artifact (
        rid integer primary key, id text not null unique, name text not null, sha text not null, media text not null,
        size integer not null, created integer not null, source text not null, run_id text, node text
    )""",
    "artifact_link": """create table artifact_link (
        rid integer not null, kind text not null, place integer not null, target text not null,
        primary key (rid, kind, place)
    ) without rowid""",
    # One row: of all claims ever recorded, how many there are and how long they are in weighted words.
    "total": "create table total (claims integer not null, length integer not null)",
    "term": "create table term (id integer primary key, t text not null unique, df integer not null)",
    # Part 0 is of the first claims, and so on (``postings.py``).
    "post": """create table post (
        part integer not null, tid integer not null, tf integer not null, len integer not null, seen integer not null,
        rid integer not null, primary key (part, tid, tf, len, seen, rid)
    ) without rowid""",
    "spell": "create table spell (k integer not null, name text not null, primary key (k, name)) without rowid",
}

INDICES = """
create index claim_about on claim (about_number);
create index claim_subject on claim (subject_number, observed);
create index citation_claim on citation (claim);
create index artifact_name on artifact (name);
create index artifact_run on artifact (run_id);
create index claim_object on claim (object_number, observed);
"""
