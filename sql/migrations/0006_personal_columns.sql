-- The columns of the view change; its schema file makes it again.
drop view if exists private.dated_tables, private.personal_tables;
