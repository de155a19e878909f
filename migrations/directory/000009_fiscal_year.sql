-- The month with which a company's fiscal year begins.
alter table companies add column fiscal_year_month integer not null default 1;
-- Every row there is has the default.
alter table companies add constraint companies_fiscal_year_month_check check (fiscal_year_month between 1 and 12) not valid;
