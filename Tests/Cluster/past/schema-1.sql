-- A catalogue of the schema's version 1, as pg_dump tells it: made by the last program of that version, by
-- imports, a removal and three edits, none of them folded into the layout yet. What its server answered
-- stands in schema-1.jsonl.

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

CREATE SCHEMA carousel;

SET default_tablespace = '';

SET default_table_access_method = heap;

CREATE TABLE carousel.change (
    strip bigint NOT NULL,
    revision bigint NOT NULL,
    count integer NOT NULL,
    changes bytea NOT NULL,
    tail bigint
);

CREATE TABLE carousel.former (
    name text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL
);

CREATE TABLE carousel.item (
    strip bigint NOT NULL,
    "position" bigint NOT NULL,
    since bigint NOT NULL,
    kind smallint NOT NULL,
    aspect integer,
    width integer,
    id text NOT NULL COLLATE pg_catalog."C",
    "group" text COLLATE pg_catalog."C",
    fields json NOT NULL,
    CONSTRAINT item_aspect_check CHECK (((aspect >= 0) AND (aspect <= (1000 * 65536)))),
    CONSTRAINT item_fields_check CHECK (((octet_length((fields)::text) <= 65536) AND (json_typeof(fields) = 'object'::text))),
    CONSTRAINT item_group_check CHECK ((octet_length("group") <= 1024)),
    CONSTRAINT item_id_check CHECK (((octet_length(id) >= 1) AND (octet_length(id) <= 256))),
    CONSTRAINT item_kind_check CHECK (((kind >= 0) AND (kind <= 63))),
    CONSTRAINT item_width_check CHECK (((width >= 0) AND (width <= (100000 * 64))))
);

CREATE TABLE carousel.kind (
    strip bigint NOT NULL,
    number smallint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    CONSTRAINT kind_name_check CHECK ((name ~ '^[a-z][a-z0-9-]{0,31}$'::text)),
    CONSTRAINT kind_number_check CHECK (((number >= 0) AND (number <= 63)))
);

CREATE TABLE carousel.layout (
    strip bigint NOT NULL,
    "position" bigint NOT NULL,
    count integer NOT NULL,
    step bigint NOT NULL,
    sizes bytea NOT NULL,
    groups bytea,
    positions bytea,
    CONSTRAINT layout_check CHECK ((octet_length(sizes) = (8 * count))),
    CONSTRAINT layout_check1 CHECK ((octet_length(positions) = (8 * count))),
    CONSTRAINT layout_count_check CHECK ((count > 0)),
    CONSTRAINT layout_step_check CHECK ((step > 0))
);

CREATE TABLE carousel.once (
    strip text NOT NULL COLLATE pg_catalog."C",
    key bytea NOT NULL,
    body bytea NOT NULL,
    revision bigint NOT NULL,
    made bigint NOT NULL
);

CREATE TABLE carousel.past_item (
    strip bigint NOT NULL,
    "position" bigint NOT NULL,
    since bigint NOT NULL,
    until bigint NOT NULL,
    kind smallint NOT NULL,
    aspect integer,
    width integer,
    id text NOT NULL COLLATE pg_catalog."C",
    "group" text COLLATE pg_catalog."C",
    fields json NOT NULL,
    CONSTRAINT past_item_check CHECK ((until >= since))
);

CREATE TABLE carousel.past_strip (
    strip bigint NOT NULL,
    until bigint NOT NULL,
    ended bigint NOT NULL,
    place bigint NOT NULL,
    weight bigint NOT NULL,
    kinds text NOT NULL,
    title text NOT NULL,
    height bigint NOT NULL,
    gap bigint NOT NULL,
    inset bigint NOT NULL,
    loop boolean NOT NULL,
    snap text NOT NULL,
    item_width bigint NOT NULL
);

CREATE SEQUENCE carousel.place
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;

CREATE TABLE carousel.strip (
    number bigint NOT NULL,
    place bigint NOT NULL,
    name text NOT NULL COLLATE pg_catalog."C",
    title text NOT NULL,
    height bigint NOT NULL,
    gap bigint NOT NULL,
    inset bigint NOT NULL,
    loop boolean NOT NULL,
    snap text NOT NULL,
    item_width bigint NOT NULL,
    first_revision bigint NOT NULL,
    revision bigint NOT NULL,
    folded bigint NOT NULL,
    CONSTRAINT strip_check CHECK ((revision >= first_revision)),
    CONSTRAINT strip_gap_check CHECK (((gap >= 0) AND (gap <= (65536 * 64)))),
    CONSTRAINT strip_height_check CHECK (((height >= (16 * 64)) AND (height <= (16384 * 64)))),
    CONSTRAINT strip_inset_check CHECK (((inset >= 0) AND (inset <= (65536 * 64)))),
    CONSTRAINT strip_item_width_check CHECK (((item_width >= 0) AND (item_width <= (100000 * 64)))),
    CONSTRAINT strip_name_check CHECK ((name ~ '^[a-z0-9][a-z0-9-]{0,63}$'::text)),
    CONSTRAINT strip_snap_check CHECK ((snap = ANY (ARRAY['none'::text, 'start'::text, 'center'::text, 'end'::text]))),
    CONSTRAINT strip_title_check CHECK ((octet_length(title) <= 1024))
);

ALTER TABLE carousel.strip ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME carousel.strip_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE carousel.token (
    number bigint NOT NULL,
    digest bytea NOT NULL,
    strip text NOT NULL COLLATE pg_catalog."C",
    only_reads boolean NOT NULL,
    made bigint NOT NULL,
    expires bigint,
    CONSTRAINT token_digest_check CHECK ((octet_length(digest) = 32))
);

ALTER TABLE carousel.token ALTER COLUMN number ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME carousel.token_number_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE carousel.version (
    number bigint NOT NULL
);

INSERT INTO carousel.change VALUES (1, 1795294951241573, 1, '\x01000000000000000000340000000000ffffffffffffffff000000089a001000', NULL);
INSERT INTO carousel.change VALUES (1, 1795294951241574, 5, '\x050000000100000004000000313936330000f0ffffffffff0000000000000000000060000000000000009000000000000000a00000000000ffffffffffffffffffffffffffffffff0000000000000000000000000000000001800100000000000000000000000000018001000000000001c0000000000000ffffffffffffffffffffffffffffffff00000000010000000000000001000000010000000100000001000000000000000100000000000000', NULL);
INSERT INTO carousel.change VALUES (1, 1795294951241575, 2, '\x020000000100000004000000313935390000200000000000000050000000000000000008ca00000000000008d0000000ffffffffffffffffffffffffffffffff01000000000000000000000000000000', NULL);

INSERT INTO carousel.former VALUES ('gone', 1795294951334324);

INSERT INTO carousel.item VALUES (1, 1048576, 1795294951241572, 0, 98304, NULL, 'r0', '1959', '{"title":"Record 0"}');
INSERT INTO carousel.item VALUES (1, 3145728, 1795294951241572, 0, NULL, NULL, 'r2', '1959', '{"title":"Record 2"}');
INSERT INTO carousel.item VALUES (1, 4194304, 1795294951241572, 1, 98304, NULL, 'r3', '1959', '{"title":"Record 3"}');
INSERT INTO carousel.item VALUES (1, 7340032, 1795294951241572, 0, 98304, NULL, 'r6', '1963', '{"title":"Record 6"}');
INSERT INTO carousel.item VALUES (1, 8388608, 1795294951241572, 1, NULL, 6848, 'r7', '1963', '{"title":"Record 7"}');
INSERT INTO carousel.item VALUES (3, 1048576, 1795294951501999, 0, 98304, NULL, 'r0', '1959', '{"title":"Record 0"}');
INSERT INTO carousel.item VALUES (3, 2097152, 1795294951501999, 0, NULL, 6464, 'r1', '1959', '{"title":"Record 1"}');
INSERT INTO carousel.item VALUES (3, 3145728, 1795294951501999, 0, NULL, NULL, 'r2', '1959', '{"title":"Record 2"}');
INSERT INTO carousel.item VALUES (1, 3407872, 1795294951241573, 2, NULL, 4928, 'n1', NULL, '{"title":"New, and of a new kind"}');
INSERT INTO carousel.item VALUES (1, -1048576, 1795294951241574, 0, NULL, NULL, 'r8', '1963', '{"title":"Record 8"}');
INSERT INTO carousel.item VALUES (1, 0, 1795294951241574, 0, 98304, NULL, 'r9', '1963', '{"title":"Record 9"}');
INSERT INTO carousel.item VALUES (1, 6291456, 1795294951241574, 0, 49152, NULL, 'r5', '1963', '{"title":"Wider"}');

INSERT INTO carousel.kind VALUES (1, 0, 'album');
INSERT INTO carousel.kind VALUES (1, 1, 'single');
INSERT INTO carousel.kind VALUES (3, 0, 'album');
INSERT INTO carousel.kind VALUES (1, 2, 'film');

INSERT INTO carousel.layout VALUES (1, 1048576, 10, 1048576, '\x018001000000000000000008ca0000000000000000000000018001000000080000000008d00000000000000000000000018001000000000000000008d600080000000000000000000180010000000000', '\x04000000040000003139353901000000ffffffff050000000400000031393633', NULL);
INSERT INTO carousel.layout VALUES (3, 1048576, 3, 1048576, '\x018001000000000000000008ca0000000000000000000000', '\x030000000400000031393539', NULL);

INSERT INTO carousel.once VALUES ('records', '\x7468652d6c6173742d6f6e65', '\xd1690f5ed87c6979c92912a76819fbf49763e9410d149d2bf44aae9f34a0bccf', 1795294951241575, 1795294952710242);

INSERT INTO carousel.past_item VALUES (1, 6291456, 1795294951241572, 1795294951241573, 0, NULL, NULL, 'r5', '1963', '{"title":"Record 5"}');
INSERT INTO carousel.past_item VALUES (1, 9437184, 1795294951241572, 1795294951241573, 0, NULL, NULL, 'r8', '1963', '{"title":"Record 8"}');
INSERT INTO carousel.past_item VALUES (1, 10485760, 1795294951241572, 1795294951241573, 0, 98304, NULL, 'r9', '1963', '{"title":"Record 9"}');
INSERT INTO carousel.past_item VALUES (1, 2097152, 1795294951241572, 1795294951241574, 0, NULL, 6464, 'r1', '1959', '{"title":"Record 1"}');
INSERT INTO carousel.past_item VALUES (1, 5242880, 1795294951241572, 1795294951241574, 0, NULL, 6656, 'r4', NULL, '{"title":"Record 4"}');

INSERT INTO carousel.past_strip VALUES (1, 1795294951241572, 1795294952639943, 1, 32, 'album,single', 'records', 12800, 512, 0, false, 'none', 5760);
INSERT INTO carousel.past_strip VALUES (1, 1795294951241573, 1795294952661293, 2, 1468, 'album,single,film', 'records', 12800, 512, 0, false, 'none', 5760);
INSERT INTO carousel.past_strip VALUES (1, 1795294951241574, 1795294952709920, 3, 2388, 'album,single,film', 'records', 12800, 512, 0, false, 'none', 5760);

INSERT INTO carousel.strip OVERRIDING SYSTEM VALUE VALUES (3, 3, 'few', 'few', 11520, 0, 0, true, 'none', 10240, 1795294951501999, 1795294951501999, 1795294951501999);
INSERT INTO carousel.strip OVERRIDING SYSTEM VALUE VALUES (1, 1, 'records', 'records', 12800, 512, 0, false, 'none', 5760, 1795294951241572, 1795294951241575, 1795294951241572);

INSERT INTO carousel.token OVERRIDING SYSTEM VALUE VALUES (1, '\x94c0036b22a4420b4b712c30ac8cc4cebb8a04781bb86ce434fa34dedfd2cb42', 'records', false, 1795294951605792, NULL);
INSERT INTO carousel.token OVERRIDING SYSTEM VALUE VALUES (2, '\x8e06403b3e74492f2c74bc5ca2cf009903078336470f8a69a363d972097051f3', 'gone', false, 1795294951705753, NULL);

INSERT INTO carousel.version VALUES (1);

SELECT pg_catalog.setval('carousel.place', 3, true);

SELECT pg_catalog.setval('carousel.strip_number_seq', 3, true);

SELECT pg_catalog.setval('carousel.token_number_seq', 2, true);

ALTER TABLE ONLY carousel.change
    ADD CONSTRAINT change_pkey PRIMARY KEY (strip, revision);

ALTER TABLE ONLY carousel.former
    ADD CONSTRAINT former_pkey PRIMARY KEY (name);

ALTER TABLE ONLY carousel.item
    ADD CONSTRAINT item_pkey PRIMARY KEY (strip, "position");

ALTER TABLE ONLY carousel.item
    ADD CONSTRAINT item_strip_id_key UNIQUE (strip, id);

ALTER TABLE ONLY carousel.kind
    ADD CONSTRAINT kind_pkey PRIMARY KEY (strip, number);

ALTER TABLE ONLY carousel.kind
    ADD CONSTRAINT kind_strip_name_key UNIQUE (strip, name);

ALTER TABLE ONLY carousel.layout
    ADD CONSTRAINT layout_pkey PRIMARY KEY (strip, "position");

ALTER TABLE ONLY carousel.once
    ADD CONSTRAINT once_pkey PRIMARY KEY (strip, key);

ALTER TABLE ONLY carousel.past_item
    ADD CONSTRAINT past_item_pkey PRIMARY KEY (strip, "position", until);

ALTER TABLE ONLY carousel.past_strip
    ADD CONSTRAINT past_strip_pkey PRIMARY KEY (strip, until);

ALTER TABLE ONLY carousel.strip
    ADD CONSTRAINT strip_name_key UNIQUE (name);

ALTER TABLE ONLY carousel.strip
    ADD CONSTRAINT strip_pkey PRIMARY KEY (number);

ALTER TABLE ONLY carousel.strip
    ADD CONSTRAINT strip_place_key UNIQUE (place);

ALTER TABLE ONLY carousel.token
    ADD CONSTRAINT token_digest_key UNIQUE (digest);

ALTER TABLE ONLY carousel.token
    ADD CONSTRAINT token_pkey PRIMARY KEY (number);

CREATE INDEX once_made ON carousel.once USING btree (made);

CREATE INDEX past_item_id ON carousel.past_item USING btree (strip, id);

CREATE INDEX past_item_until ON carousel.past_item USING btree (strip, until);

ALTER TABLE ONLY carousel.change
    ADD CONSTRAINT change_strip_fkey FOREIGN KEY (strip) REFERENCES carousel.strip(number) ON DELETE CASCADE;

ALTER TABLE ONLY carousel.kind
    ADD CONSTRAINT kind_strip_fkey FOREIGN KEY (strip) REFERENCES carousel.strip(number) ON DELETE CASCADE;

ALTER TABLE ONLY carousel.layout
    ADD CONSTRAINT layout_strip_fkey FOREIGN KEY (strip) REFERENCES carousel.strip(number) ON DELETE CASCADE;

ALTER TABLE ONLY carousel.past_strip
    ADD CONSTRAINT past_strip_strip_fkey FOREIGN KEY (strip) REFERENCES carousel.strip(number) ON DELETE CASCADE;
