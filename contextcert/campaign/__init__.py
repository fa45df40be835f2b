"""A campaign: a seed and a budget, planned as units, run by workers, merged in unit order."""

from contextcert.campaign.budget import BUDGETS, Budget, Evidence
from contextcert.campaign.campaign import (
    Opened,
    Result,
    Watcher,
    open_subject,
    run_campaign,
    setting_of,
    worker_count,
)
from contextcert.campaign.setting import Campaign

__all__ = [
    "BUDGETS",
    "Budget",
    "Campaign",
    "Evidence",
    "Opened",
    "Result",
    "Watcher",
    "open_subject",
    "run_campaign",
    "setting_of",
    "worker_count",
]
