"""AlphaGo's way of learning, of 2016: a policy from games of experts, made better by playing against its earlier selves."""
