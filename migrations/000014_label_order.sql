-- By what samples of one metric and period are ordered: their labels' values by label name, in code point order. As JSON the
-- labels compare otherwise: a quotation mark ends a value and is greater than a space, and escapes begin with a backslash.
--
-- Here U+0001 stands for each quotation mark of the JSON. Nothing in a value is less, so that a value comes before all that
-- it begins, and the names, which all cells of a metric in a projection have in common, make no difference. Control characters,
-- which JSON escapes, are U+0001, '~' and two digits: greater than an end, behind which stands ',' or '}', and less than all
-- other characters. U+0002 and U+0003 keep the place of '\\' and '\"' meanwhile; JSON has no such characters.
alter table samples add column label_order text collate "C" not null generated always as (
  case
    when strpos(labels, '\') = 0 then replace(labels, '"', chr(1))
    else
      replace(replace(replace(replace(replace(replace(replace(replace(replace(replace(
        replace(labels, '\\', chr(2)),
        '\"', chr(3)),
        '"', chr(1)),
        chr(3), '"'),
        '\b', chr(1) || '~08'),
        '\t', chr(1) || '~09'),
        '\n', chr(1) || '~0a'),
        '\f', chr(1) || '~0c'),
        '\r', chr(1) || '~0d'),
        '\u00', chr(1) || '~'),
        chr(2), '\')
  end
) stored;
